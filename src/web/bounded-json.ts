/** JSON that a page brings, bounded before it is built. */

const MAX_DEPTH = 64;
/** Values and names together. */
const MAX_ELEMENTS = 20_000;

const utf8 = new TextEncoder();
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const codesOf = (characters: string) => new Set([...characters].map((one) => one.charCodeAt(0)));
const OPENING = codesOf('[{');
const CLOSING = codesOf(']}');
const SEPARATING = codesOf(',:');

/** The value of a JSON text; undefined where it is malformed, nests deeper or has more elements than is read. */
export function parseBounded(text: string): unknown {
  if (exceedsBounds(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Counts brackets and separators outside strings. */
function exceedsBounds(text: string): boolean {
  let elements = 0;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString && code === BACKSLASH) at += 1;
    else if (code === QUOTE) inString = !inString;
    else if (inString) continue;
    else if (OPENING.has(code)) {
      elements += 1;
      depth += 1;
    } else if (CLOSING.has(code)) depth -= 1;
    else if (SEPARATING.has(code)) elements += 1;
    if (elements > MAX_ELEMENTS || depth > MAX_DEPTH) return true;
  }
  return false;
}

/** How many bytes a value takes in a JSON answer. */
export const jsonBytes = (value: unknown): number => utf8.encode(JSON.stringify(value)).byteLength;
