/**
 * Reads the tokens of JSON text (RFC 8259). Defines the character codes, and finds the ends of strings, numbers and
 * literals.
 */

/** Thrown if the text is not valid JSON, with the position of the error. */
export class JsonFault extends Error {
  /** The index of the UTF-16 unit at which the error was found. */
  readonly at: number;
  /** The syntax that JSON allows at this position, as a noun phrase. */
  readonly expected: string;

  constructor(at: number, expected: string) {
    super(`not JSON: expected ${expected}`);
    this.at = at;
    this.expected = expected;
  }
}

const TAB = 0x09;
export const NEWLINE = 0x0a;
const RETURN = 0x0d;
export const SPACE = 0x20;
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const MINUS = 0x2d;
const DOT = 0x2e;
const SLASH = 0x2f;
const ZERO = 0x30;
const NINE = 0x39;
export const COLON = 0x3a;
export const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
export const CLOSE_ARRAY = 0x5d;
const LOWER_U = 0x75;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

export const isSpace = (c: number) => c === SPACE || c === NEWLINE || c === RETURN || c === TAB;

export const isDigit = (c: number) => c >= ZERO && c <= NINE;

const isHex = (c: number) => isDigit(c) || (c >= 0x41 && c <= 0x46) || (c >= 0x61 && c <= 0x66);

/**
 * Returns the position of the next character that is not white space. Past the end of the text, charCodeAt returns NaN,
 * which equals no character.
 */
export function skipSpace(text: string, at: number): number {
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** Returns the offset after the string, number or literal that begins at `at`. */
export function skipScalar(text: string, at: number): number {
  const c = text.charCodeAt(at);
  if (c === QUOTE) return skipString(text, at);
  if (c === MINUS || isDigit(c)) return skipNumber(text, at);
  for (const literal of ['true', 'false', 'null']) {
    if (text.startsWith(literal, at)) return at + literal.length;
  }
  throw new JsonFault(at, 'a value');
}

export function skipString(text: string, at: number): number {
  for (let i = at + 1; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) return i + 1;
    if (c < SPACE) throw new JsonFault(i, 'the closing " or an escape such as \\n');
    if (c !== BACKSLASH) continue;
    i++;
    const letter = text.charCodeAt(i);
    if (letter === LOWER_U) {
      for (let k = 0; k < 4; k++) {
        i++;
        if (!isHex(text.charCodeAt(i))) {
          throw new JsonFault(i, 'four hexadecimal digits after \\u');
        }
      }
    } else if (!'"\\/bfnrt'.includes(text.charAt(i)) || i >= text.length) {
      throw new JsonFault(i, 'an escape such as \\n or \\\\');
    }
  }
  throw new JsonFault(text.length, 'the closing " of a string');
}

export function skipNumber(text: string, at: number): number {
  let i = at;
  if (text.charCodeAt(i) === MINUS) i++;
  if (text.charCodeAt(i) === ZERO) i++;
  else i = skipDigits(text, i);
  if (text.charCodeAt(i) === DOT) i = skipDigits(text, i + 1);
  const e = text.charAt(i);
  if (e === 'e' || e === 'E') {
    const sign = text.charAt(i + 1);
    i = skipDigits(text, sign === '+' || sign === '-' ? i + 2 : i + 1);
  }
  return i;
}

/** Returns the offset after the digits. Throws if there are none. */
function skipDigits(text: string, at: number): number {
  let i = at;
  while (isDigit(text.charCodeAt(i))) i++;
  if (i === at) throw new JsonFault(i, 'a digit');
  return i;
}

/**
 * Returns the offset after a checked string. `verbatim` is false if JSON.stringify may write its escapes differently.
 */
export function measureString(text: string, at: number): { end: number; verbatim: boolean } {
  let verbatim = true;
  let i = at + 1;
  for (;;) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) return { end: i + 1, verbatim };
    if (c === BACKSLASH) {
      const letter = text.charCodeAt(i + 1);
      if (letter === LOWER_U || letter === SLASH) verbatim = false;
      i += 2;
    } else {
      i++;
    }
  }
}
