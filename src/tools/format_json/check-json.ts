/**
 * Checks JSON text against RFC 8259 without building values. Objects would move integer-like keys to the front and use
 * many times the memory of the text. A recursive writer would overflow the stack. All loops are iterative, and memory
 * grows only with nesting and with the keys of open objects.
 */

import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  JsonFault,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  skipScalar,
  skipSpace,
  skipString,
} from './json-tokens.ts';
import { type Detours, OpenKeys } from './open-keys.ts';

/**
 * Returns the positions at which a writer must skip or replace text because of duplicate keys. Throws JsonFault unless
 * `text` is exactly one JSON value.
 */
export function checkJson(text: string): Detours {
  const detours: Detours = { skip: new Int32Array(0), replace: new Map() };
  const keys = new OpenKeys();
  const isObject: boolean[] = [];
  let at = skipSpace(text, 0);
  for (;;) {
    // Each iteration begins at the start of a value.
    const c = text.charCodeAt(at);
    if (c === OPEN_OBJECT || c === OPEN_ARRAY) {
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
    // Closes the containers that end after this value. Stops where another value must follow.
    for (;;) {
      const inObject = isObject.at(-1);
      if (inObject === undefined) {
        at = skipSpace(text, at);
        if (at < text.length) throw new JsonFault(at, 'the end of the text');
        return detours;
      }
      if (inObject) keys.valueEnded(at, detours, text.length);
      at = skipSpace(text, at);
      const next = text.charCodeAt(at);
      if (next === COMMA) {
        const after = skipSpace(text, at + 1);
        if (!inObject && text.charCodeAt(after) === CLOSE_ARRAY) {
          throw new JsonFault(after, 'a value after the comma');
        }
        at = inObject ? readKey(text, after, at, keys) : after;
        break;
      }
      if (next !== (inObject ? CLOSE_OBJECT : CLOSE_ARRAY)) {
        throw new JsonFault(at, `a comma or ${inObject ? '}' : ']'}`);
      }
      isObject.pop();
      if (inObject) keys.close();
      at++;
    }
  }
}

/** Reads a key and its colon. `comma` is -1 before the first key. Returns the start of the value. */
function readKey(text: string, at: number, comma: number, keys: OpenKeys): number {
  if (text.charCodeAt(at) !== QUOTE) {
    throw new JsonFault(at, `a key in double quotes ${comma < 0 ? 'or }' : 'after the comma'}`);
  }
  const end = skipString(text, at);
  const colon = skipSpace(text, end);
  if (text.charCodeAt(colon) !== COLON) throw new JsonFault(colon, 'a colon');
  const value = skipSpace(text, colon + 1);
  const plain = text.slice(at + 1, end - 1);
  keys.add(plain.includes('\\') ? JSON.parse(`"${plain}"`) : plain, comma, value);
  return value;
}
