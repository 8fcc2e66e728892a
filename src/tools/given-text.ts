/** Prepares a caller's text for a model. Limits its length and separates it from the instructions. */
import { badRequest, tooLarge } from '../core/errors.ts';

/** The default maximum length, in characters, of the text that tools send to a model. */
export const MAX_GIVEN_CHARACTERS = 10_000;

/**
 * Throws 400 if the text is blank.
 * @param refuse returns the error for a text of more than `most` characters (code points), by default 413
 */
export function checkGiven(
  text: string,
  param: string,
  most = MAX_GIVEN_CHARACTERS,
  refuse = tooLarge,
): void {
  if (text.trim() === '') throw badRequest(`The parameter "${param}" must not be blank.`, param);
  const count = countCharacters(text);
  if (count <= most) return;
  throw refuse(
    `The ${param} has ${count.toLocaleString('en-US')} characters. The limit is ${most.toLocaleString('en-US')}. Shorten the ${param}.`,
    param,
  );
}

/** Counts code points, so that a surrogate pair is one character. */
export function countCharacters(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const next = text.charCodeAt(at + 1);
    if (code >= 0xd800 && code < 0xdc00 && next >= 0xdc00 && next < 0xe000) at += 1;
    count += 1;
  }
  return count;
}

/** Returns the text wrapped in tags that do not occur in it, so that the text cannot close them. */
export function inTags(tag: string, text: string): string {
  let name = tag;
  for (let number = 2; text.includes(`${name}>`); number += 1) name = `${tag}-${number}`;
  return `<${name}>\n${text}\n</${name}>`;
}
