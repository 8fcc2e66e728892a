/** Limits the size of a JSON result of an MCP call, a chain, a job or an idempotent call (decisions.md, Limits). */
import { failed } from '../core/errors.ts';
import { MB } from '../core/limits.ts';

const utf8 = new TextEncoder();

/** Returns the size of a result's JSON in bytes. Throws 422 if it exceeds `most`. */
export function sizeOfJson(text: string, most: number): number {
  // The length in characters never exceeds the length in bytes.
  const size = text.length > most ? text.length : utf8.encode(text).byteLength;
  if (size > most) throw resultTooLarge(most);
  return size;
}

export const resultTooLarge = (most: number) =>
  failed(
    `The result exceeds ${most / MB} MB, the limit for MCP, chains, jobs and idempotent calls. Call the tool directly over REST without an Idempotency-Key, or send less.`,
  );
