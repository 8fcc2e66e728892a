/**
 * JSON as text: checked against RFC 8259, written in its shortest form, indented. It works on the text and never
 * builds values: objects would move integer-like keys to the front, cost many times the text's memory, and a
 * recursive writer would overflow. All loops are iterative; memory grows with nesting and open keys only.
 */

/** Deeper nesting is refused: remembering where one is would take more memory than the text. */
export const MAX_DEPTH = 250_000;

/** Where `text` stops being JSON. */
export class JsonFault extends Error {
  /** Index of the UTF-16 unit. */
  readonly at: number;
  readonly tooDeep: boolean;

  constructor(at: number, tooDeep = false) {
    super('not JSON');
    this.at = at;
    this.tooDeep = tooDeep;
  }
}

/** What duplicate keys ask of a writer: the last value wins, at the place of the first (ECMA-262, JSON.parse). */
export interface Detours {
  /** By the place of the comma before a repeated member: the end of its value. 0 elsewhere; empty without any. */
  skip: Int32Array;
  /** From the start of the first value: write start to end instead, and go on at resume. */
  replace: Map<number, { start: number; end: number; resume: number }>;
}

const TAB = 0x09;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const SLASH = 0x2f;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const LOWER_U = 0x75;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const isSpace = (c: number) => c === SPACE || c === NEWLINE || c === RETURN || c === TAB;

const isDigit = (c: number) => c >= ZERO && c <= NINE;

const isHex = (c: number) => isDigit(c) || (c >= 0x41 && c <= 0x46) || (c >= 0x61 && c <= 0x66);

/** Past the end charCodeAt gives NaN, which equals nothing below. */
function skipSpace(text: string, at: number): number {
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** Throws JsonFault where `text` is not exactly one JSON value; else says how to treat its duplicate keys. */
export function checkJson(text: string): Detours {
  const detours: Detours = { skip: new Int32Array(0), replace: new Map() };
  const keys = new OpenKeys();
  const isObject: boolean[] = [];
  let at = skipSpace(text, 0);
  for (;;) {
    // A value begins here.
    const c = text.charCodeAt(at);
    if (c === OPEN_OBJECT || c === OPEN_ARRAY) {
      if (isObject.length === MAX_DEPTH) throw new JsonFault(at, true);
      const inside = skipSpace(text, at + 1);
      const next = text.charCodeAt(inside);
      if (next === (c === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY)) {
        at = inside + 1;
      } else {
        isObject.push(c === OPEN_OBJECT);
        at = inside;
        if (c === OPEN_OBJECT) {
          keys.open();
          at = readKey(text, at, -1, keys);
        }
        continue;
      }
    } else {
      at = skipScalar(text, at);
    }
    // A value ended here: close what closes, until another one must follow.
    for (;;) {
      const inObject = isObject.at(-1);
      if (inObject === undefined) {
        at = skipSpace(text, at);
        if (at < text.length) throw new JsonFault(at);
        return detours;
      }
      if (inObject) keys.valueEnded(at, detours, text.length);
      at = skipSpace(text, at);
      const next = text.charCodeAt(at);
      if (next === COMMA) {
        const after = skipSpace(text, at + 1);
        at = inObject ? readKey(text, after, at, keys) : after;
        break;
      }
      if (next !== (inObject ? CLOSE_OBJECT : CLOSE_ARRAY)) throw new JsonFault(at);
      isObject.pop();
      if (inObject) keys.close();
      at++;
    }
  }
}

/** Reads a key and its colon; gives the start of the value. */
function readKey(text: string, at: number, comma: number, keys: OpenKeys): number {
  if (text.charCodeAt(at) !== QUOTE) throw new JsonFault(at);
  const end = skipString(text, at);
  const colon = skipSpace(text, end);
  if (text.charCodeAt(colon) !== COLON) throw new JsonFault(colon);
  const value = skipSpace(text, colon + 1);
  const plain = text.slice(at + 1, end - 1);
  keys.add(plain.includes('\\') ? JSON.parse(`"${plain}"`) : plain, comma, value);
  return value;
}

/** The keys of the objects that are open at a point of the text, to find those that come twice in one object. */
class OpenKeys {
  // By member, first occurrences only. A closed object's members are taken off again.
  private readonly key: string[] = [];
  private readonly valueStart: number[] = [];
  private readonly valueEnd: number[] = [];
  /** The member of an outer object that `latest` named before, or -1. */
  private readonly shadowed: number[] = [];
  private readonly latest = new Map<string, number>();
  // By open object: its first member; the member now being read, and for a repeated one its comma and value.
  private readonly first: number[] = [];
  private readonly current: number[] = [];
  private readonly repeatedComma: number[] = [];
  private readonly repeatedStart: number[] = [];

  open() {
    this.first.push(this.key.length);
    this.current.push(-1);
    this.repeatedComma.push(-1);
    this.repeatedStart.push(-1);
  }

  add(key: string, comma: number, valueStart: number) {
    const top = this.first.length - 1;
    const known = this.latest.get(key) ?? -1;
    if (known >= (this.first[top] as number)) {
      this.current[top] = known;
      this.repeatedComma[top] = comma;
      this.repeatedStart[top] = valueStart;
      return;
    }
    this.current[top] = this.key.length;
    this.repeatedComma[top] = -1;
    this.latest.set(key, this.key.length);
    this.key.push(key);
    this.valueStart.push(valueStart);
    this.valueEnd.push(-1);
    this.shadowed.push(known);
  }

  valueEnded(at: number, detours: Detours, textLength: number) {
    const top = this.first.length - 1;
    const member = this.current[top] as number;
    const comma = this.repeatedComma[top] as number;
    if (comma === -1) {
      this.valueEnd[member] = at;
      return;
    }
    // A hash map of millions of places would take four times as much.
    if (detours.skip.length === 0) detours.skip = new Int32Array(textLength);
    detours.skip[comma] = at;
    detours.replace.set(this.valueStart[member] as number, {
      start: this.repeatedStart[top] as number,
      end: at,
      resume: this.valueEnd[member] as number,
    });
  }

  close() {
    const first = this.first.pop() as number;
    this.current.pop();
    this.repeatedComma.pop();
    this.repeatedStart.pop();
    while (this.key.length > first) {
      const key = this.key.pop() as string;
      const shadowed = this.shadowed.pop() as number;
      this.valueStart.pop();
      this.valueEnd.pop();
      if (shadowed === -1) this.latest.delete(key);
      else this.latest.set(key, shadowed);
    }
  }
}

/** The end of the string, number or literal that begins at `at`. */
function skipScalar(text: string, at: number): number {
  const c = text.charCodeAt(at);
  if (c === QUOTE) return skipString(text, at);
  if (c === MINUS || isDigit(c)) return skipNumber(text, at);
  for (const literal of ['true', 'false', 'null']) {
    if (text.startsWith(literal, at)) return at + literal.length;
  }
  throw new JsonFault(at);
}

function skipString(text: string, at: number): number {
  for (let i = at + 1; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) return i + 1;
    if (c < SPACE) throw new JsonFault(i);
    if (c !== BACKSLASH) continue;
    i++;
    const letter = text.charCodeAt(i);
    if (letter === LOWER_U) {
      for (let k = 0; k < 4; k++) {
        i++;
        if (!isHex(text.charCodeAt(i))) throw new JsonFault(i);
      }
    } else if (!'"\\/bfnrt'.includes(text.charAt(i)) || i >= text.length) {
      throw new JsonFault(i);
    }
  }
  throw new JsonFault(text.length);
}

function skipNumber(text: string, at: number): number {
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

/** At least one digit. */
function skipDigits(text: string, at: number): number {
  let i = at;
  while (isDigit(text.charCodeAt(i))) i++;
  if (i === at) throw new JsonFault(i);
  return i;
}

/** Checked JSON without whitespace, strings and numbers written as JSON.stringify writes them. */
export function minifyJson(text: string, { skip, replace }: Detours): string {
  const out = new TextWriter();
  const hasDetours = replace.size > 0;
  const wellFormed = text.isWellFormed();
  const returns: { end: number; resume: number }[] = [];
  let stop = -1;
  let at = skipSpace(text, 0);
  // What lies between `run` and `at` is written as it is.
  let run = at;
  const goTo = (to: number) => {
    out.copy(text, run, at);
    at = to;
    run = to;
  };
  while (at < text.length) {
    if (at === stop) {
      goTo(returns.pop()?.resume as number);
      stop = returns.at(-1)?.end ?? -1;
      continue;
    }
    const c = text.charCodeAt(at);
    if (isSpace(c)) {
      goTo(skipSpace(text, at));
    } else if (c === QUOTE) {
      const { end, verbatim } = measureString(text, at);
      if (verbatim && wellFormed) {
        at = end;
      } else {
        out.copy(text, run, at);
        out.write(JSON.stringify(JSON.parse(text.slice(at, end))));
        at = run = end;
      }
    } else if (c === MINUS || isDigit(c)) {
      const end = skipNumber(text, at);
      if (end - at > 15 || !isPlainInteger(text, at, end)) {
        out.copy(text, run, at);
        out.write(writeNumber(text.slice(at, end)));
        run = end;
      }
      at = end;
    } else if (hasDetours && c === COMMA) {
      const to = skip[at];
      if (to) goTo(to);
      else at++;
    } else if (hasDetours && c === COLON) {
      at++;
      const value = skipSpace(text, at);
      const detour = replace.get(value);
      if (detour) {
        goTo(detour.start);
        returns.push(detour);
        stop = detour.end;
      }
    } else {
      at++;
    }
  }
  out.copy(text, run, at);
  return out.finish();
}

/** The end of a checked string; not verbatim where it has escapes that JSON.stringify writes otherwise. */
function measureString(text: string, at: number): { end: number; verbatim: boolean } {
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

/** Digits only, short enough to be exact. */
function isPlainInteger(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (!isDigit(text.charCodeAt(i))) return false;
  return true;
}

/** As JavaScript writes it; beyond the range of a double as it was, where JSON.stringify would say null. */
function writeNumber(text: string): string {
  const value = Number(text);
  return Number.isFinite(value) ? String(value) : text;
}

/** Calls back for everything of minified JSON that indenting touches; depth is that after the bracket. */
function walk(
  json: string,
  onOpen: (at: number, depth: number) => void,
  onClose: (at: number, depth: number) => void,
  onComma: (at: number, depth: number) => void,
  onColon: (at: number) => void,
) {
  let depth = 0;
  for (let i = 0; i < json.length; i++) {
    switch (json.charCodeAt(i)) {
      case QUOTE:
        i = measureString(json, i).end - 1;
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT: {
        const next = json.charCodeAt(i + 1);
        if (next === CLOSE_ARRAY || next === CLOSE_OBJECT) i++;
        else onOpen(i, ++depth);
        break;
      }
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        onClose(i, --depth);
        break;
      case COMMA:
        onComma(i, depth);
        break;
      case COLON:
        onColon(i);
        break;
    }
  }
}

/** The length that indentJson's result will have, in UTF-16 units. */
export function indentedLength(json: string, indent: number): number {
  if (indent === 0) return json.length;
  let length = json.length;
  const addBreak = (_at: number, depth: number) => {
    length += 1 + depth * indent;
  };
  walk(json, addBreak, addBreak, addBreak, () => length++);
  return length;
}

/** Minified JSON as JSON.stringify(value, null, indent) lays it out. */
export function indentJson(json: string, indent: number): string {
  if (indent === 0) return json;
  const out = new TextWriter();
  let run = 0;
  const breakAfter = (at: number, depth: number) => {
    out.copy(json, run, at + 1);
    out.writeBreak(depth * indent);
    run = at + 1;
  };
  walk(
    json,
    breakAfter,
    (at, depth) => {
      out.copy(json, run, at);
      out.writeBreak(depth * indent);
      run = at;
    },
    breakAfter,
    (at) => {
      out.copy(json, run, at + 1);
      out.write(' ');
      run = at + 1;
    },
  );
  out.copy(json, run, json.length);
  return out.finish();
}

/** Builds a long string out of millions of small pieces without an object for each. */
class TextWriter {
  private readonly block = new Uint16Array(8192);
  private used = 0;
  private text = '';

  copy(from: string, start: number, end: number) {
    if (end - start > 512) {
      this.flush();
      this.text += from.slice(start, end);
      return;
    }
    if (this.used + end - start > this.block.length) this.flush();
    for (let i = start; i < end; i++) this.block[this.used++] = from.charCodeAt(i);
  }

  write(piece: string) {
    this.copy(piece, 0, piece.length);
  }

  /** A line feed and that many spaces. */
  writeBreak(spaces: number) {
    if (spaces >= 512) {
      this.flush();
      this.text += `\n${' '.repeat(spaces)}`;
      return;
    }
    if (this.used + spaces >= this.block.length) this.flush();
    this.block[this.used] = NEWLINE;
    this.block.fill(SPACE, this.used + 1, this.used + 1 + spaces);
    this.used += spaces + 1;
  }

  finish(): string {
    this.flush();
    return this.text;
  }

  private flush() {
    if (this.used === 0) return;
    // The engine takes one byte a character where all of them are Latin-1.
    this.text += String.fromCharCode.apply(
      null,
      this.block.subarray(0, this.used) as unknown as number[],
    );
    this.used = 0;
  }
}
