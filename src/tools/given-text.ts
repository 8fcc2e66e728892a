/** A caller's text on its way to a model: bounded in characters, and set apart from what the model is told to do. */
import { badRequest, tooLarge } from '../core/errors.ts';

/** What the tools send to a model at most, where the contract does not say. */
export const MAX_GIVEN_CHARACTERS = 10_000;

/**
 * Throws 400 where the text is blank.
 * @param refuse what is thrown where the text has more characters (code points) than `most`: a 413
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
    `The ${param} has ${count.toLocaleString('en-US')} characters; at most ${most.toLocaleString('en-US')} are taken. Shorten it, or send it in parts.`,
    param,
  );
}

/** Code points: a pair of surrogates is one character. */
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

/** The text between tags that do not occur in it, so that it cannot end them. */
export function asData(tag: string, text: string): string {
  let name = tag;
  for (let number = 2; text.includes(`${name}>`); number += 1) name = `${tag}-${number}`;
  return `<${name}>\n${text}\n</${name}>`;
}
