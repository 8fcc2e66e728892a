/** Limits the size of a JSON result of an MCP call, a chain, a job or an idempotent call (decisions.md, Limits). */
import { failed } from '../core/errors.ts';
import { MB } from '../core/limits.ts';

/** The largest number of UTF-8 bytes per UTF-16 code unit. */
const MAX_BYTES_A_UNIT = 3;
const utf8 = new TextEncoder();

/** Whether the text has more than `most` bytes in UTF-8. */
export const isLargerThan = (text: string, most: number): boolean =>
  text.length > most ||
  (text.length * MAX_BYTES_A_UNIT > most && utf8.encode(text).byteLength > most);

/** Returns the result as JSON. Throws 422 if it exceeds `most` bytes. */
export function resultText(result: object, most: number): string {
  const text = JSON.stringify(result);
  if (isLargerThan(text, most)) throw resultTooLarge(most);
  return text;
}

export const resultTooLarge = (most: number) =>
  failed(
    `The result exceeds ${most / MB} MB, the limit for MCP, chains, jobs and idempotent calls. Call the tool directly over REST without an Idempotency-Key, or send less.`,
  );
