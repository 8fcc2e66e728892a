/** JSON that a page brings, bounded before it is built. */
import { nestsDeeperThan } from '../lib/json-depth.ts';

const MAX_DEPTH = 64;
/** Values and names together. */
const MAX_ELEMENTS = 20_000;

const utf8 = new TextEncoder();
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SEPARATORS = new Set([...',:[{'].map((character) => character.charCodeAt(0)));

/** The value of a JSON text; undefined where it is malformed, nests deeper or has more elements than is read. */
export function parseBounded(text: string): unknown {
  if (nestsDeeperThan(text, MAX_DEPTH) || hasMoreElementsThan(text, MAX_ELEMENTS)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Counts the separators outside strings. */
function hasMoreElementsThan(text: string, most: number): boolean {
  let count = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString && code === BACKSLASH) at += 1;
    else if (code === QUOTE) inString = !inString;
    else if (!inString && SEPARATORS.has(code)) {
      count += 1;
      if (count > most) return true;
    }
  }
  return false;
}

/** How many bytes a value takes in a JSON answer. */
export const jsonBytes = (value: unknown): number => utf8.encode(JSON.stringify(value)).byteLength;
