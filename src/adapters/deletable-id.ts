/** Derives the IDs of stored files from random delete tokens (ADR 79). */
import { createHash } from 'node:crypto';
import { base62Of, randomBase62 } from '../lib/base62.ts';
import { expiryPrefix } from '../lib/file-id.ts';

const TOKEN_CHARACTERS = 22;

/** Returns an ID for a file that expires at `expiresAt`, and the random token from which the ID was derived. */
export function newDeletableId(expiresAt: number): { id: string; deleteToken: string } {
  const deleteToken = randomBase62(TOKEN_CHARACTERS);
  return { id: expiryPrefix(expiresAt) + digestOf(deleteToken), deleteToken };
}

/** Whether the file's ID was derived from this token. */
export const isDeleteToken = (id: string, token: string): boolean =>
  id.slice(-TOKEN_CHARACTERS) === digestOf(token);

const digestOf = (token: string): string =>
  base62Of(createHash('sha256').update(token).digest(), TOKEN_CHARACTERS);
