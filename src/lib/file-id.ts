/**
 * The id of a stored file: six base-36 digits of its end in minutes, then 22 base-62 characters (130 random bits).
 * The end leads, so that listing the ids in order lists what expires first, and a link that has expired is known
 * as such after its bytes are gone.
 */
import { randomBase62 } from './base62.ts';

const RANDOM_CHARACTERS = 22;
const END_CHARACTERS = 6;
const MINUTE = 60_000;

/** A new id for a file that expires at `expiresAt` (milliseconds since the epoch), rounded up to a minute. */
export function newFileId(expiresAt: number): string {
  return endPrefix(expiresAt) + randomBase62(RANDOM_CHARACTERS);
}

/** What every id that ends at or after `time` sorts behind. */
export function endPrefix(time: number): string {
  return Math.ceil(time / MINUTE)
    .toString(36)
    .padStart(END_CHARACTERS, '0');
}

/** The end of a file in milliseconds since the epoch, or null where the text is no id. */
export function endOfFileId(id: string): number | null {
  if (!/^[0-9a-z]{6}[0-9A-Za-z]{22}$/.test(id)) return null;
  return Number.parseInt(id.slice(0, END_CHARACTERS), 36) * MINUTE;
}
