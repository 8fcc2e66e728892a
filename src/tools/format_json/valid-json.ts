/** Checks JSON text, and reports an error with its line and column. format_json and convert_yaml use this module. */
import { badRequest } from '../../core/errors.ts';
import { checkJson } from './check-json.ts';
import { JsonFault } from './json-tokens.ts';
import type { Detours } from './open-keys.ts';

/**
 * Returns the positions at which a writer must skip or replace text because of duplicate keys. Throws a ToolError (400)
 * for `param` if `json` is not valid JSON.
 */
export function validJson(json: string, param: string): Detours {
  if (json.startsWith('\ufeff')) {
    throw badRequest(
      'The JSON begins with a byte-order mark (U+FEFF), which RFC 8259 does not allow. Remove this invisible first character.',
      param,
    );
  }
  try {
    return checkJson(json);
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    throw badRequest(
      `The JSON is invalid at ${position(json, error.at)}: expected ${error.expected}, but found ${foundAt(json, error.at)}.`,
      param,
    );
  }
}

/** Returns a position for a message, as in `line 3, column 5`. */
export function position(json: string, at: number): string {
  let line = 1;
  let lineStart = 0;
  for (let i = json.indexOf('\n'); i !== -1 && i < at; i = json.indexOf('\n', i + 1)) {
    line++;
    lineStart = i + 1;
  }
  return `line ${line}, column ${at - lineStart + 1}`;
}

/** Matches the beginning of a quoted string, a word or a number. Otherwise matches one character. */
const TOKEN = /(["'])[^"'\n]{0,20}\1?|[\w.]{1,20}|./suy;

/** Returns the text at a position for an error message. Invisible characters are named. */
function foundAt(json: string, at: number): string {
  TOKEN.lastIndex = at;
  const token = TOKEN.exec(json)?.[0];
  if (token === undefined) return 'the end of the text';
  if (/^[\r\n]/.test(token)) return 'a line break';
  const code = token.codePointAt(0) as number;
  return /^[\p{Z}\p{C}]/u.test(token)
    ? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
    : token;
}
