/** JSON from a page, bounded before its value is built, and the size of a page's values in an answer. */
import { parseBounded } from '../lib/json-bounds.ts';

const MAX_DEPTH = 64;
const MAX_VALUES = 20_000;

const utf8 = new TextEncoder();

/** The value of a JSON text; undefined if it is malformed or exceeds the bounds. */
export function parsePageJson(text: string): unknown {
  try {
    return parseBounded(text, MAX_DEPTH, MAX_VALUES);
  } catch {
    return undefined;
  }
}

/** How many bytes a value takes in a JSON answer. */
export const jsonBytes = (value: unknown): number => utf8.encode(JSON.stringify(value)).byteLength;
