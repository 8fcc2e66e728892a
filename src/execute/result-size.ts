/** Limits the size of a JSON result that is stored or passed to the next step (decisions.md, Limits). */
import { failed } from '../core/errors.ts';
import { MB } from '../core/limits.ts';

/** UTF-8 uses at most 3 bytes per UTF-16 code unit. */
const MOST_BYTES_A_UNIT = 3;
const utf8 = new TextEncoder();

/** Whether a text has more than `most` bytes in UTF-8. */
export const isLargerThan = (text: string, most: number): boolean =>
  text.length > most ||
  (text.length * MOST_BYTES_A_UNIT > most && utf8.encode(text).byteLength > most);

/** Throws 422 if the result takes more than `most` bytes as JSON. */
export function checkResultSize(result: object, most: number): void {
  if (isLargerThan(JSON.stringify(result), most)) throw resultTooLarge(most);
}

export const resultTooLarge = (most: number) =>
  failed(
    `The result is larger than the ${most / MB} MB of JSON that can be stored. Call the tool directly over REST, or send less.`,
  );
