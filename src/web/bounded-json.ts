/** Parses JSON from web pages within limits, and measures the size of values as JSON. */
import { parseBounded } from '../lib/json-bounds.ts';

const MAX_DEPTH = 64;
const MAX_VALUES = 20_000;

const utf8 = new TextEncoder();

/** Returns the value of a JSON string. Returns undefined if the string is malformed or exceeds the limits. */
export function parsePageJson(text: string): unknown {
  try {
    return parseBounded(text, MAX_DEPTH, MAX_VALUES);
  } catch {
    return undefined;
  }
}

/** Returns the size of a value as JSON, in bytes. */
export const jsonBytes = (value: unknown): number => utf8.encode(JSON.stringify(value)).byteLength;
