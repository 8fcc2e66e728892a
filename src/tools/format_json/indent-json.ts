/** Indents minified JSON, and computes the length of the result in advance. */

import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  measureString,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from './json-tokens.ts';
import { TextWriter } from './text-writer.ts';

/**
 * Calls a callback for every bracket, comma and colon of minified JSON. `depth` is the nesting level after a bracket.
 */
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

/** Returns the length of indentJson's result, in UTF-16 units. */
export function indentedLength(json: string, indent: number): number {
  if (indent === 0) return json.length;
  let length = json.length;
  const addBreak = (_at: number, depth: number) => {
    length += 1 + depth * indent;
  };
  walk(json, addBreak, addBreak, addBreak, () => length++);
  return length;
}

/** Indents minified JSON like JSON.stringify(value, null, indent). */
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
