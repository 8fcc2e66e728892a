/**
 * The ID of a stored file or job consists of its expiry in minutes (six base-36 digits) and 22 base-62 characters (130
 * bits). The expiry comes first, so that IDs sort by expiry and an expired link is recognized after its bytes are
 * deleted. IDs of files are derived from a delete token (ADR 79). IDs of jobs are random.
 */
import { randomBase62 } from './base62.ts';

const RANDOM_CHARACTERS = 22;
const EXPIRY_CHARACTERS = 6;
const MINUTE = 60_000;

/**
 * Creates a random ID that expires at `expiresAt` (milliseconds since the epoch). The expiry is rounded up to a minute.
 */
export function newFileId(expiresAt: number): string {
  return expiryPrefix(expiresAt) + randomBase62(RANDOM_CHARACTERS);
}

/** Returns the prefix that sorts before every ID that expires at or after `time`. */
export function expiryPrefix(time: number): string {
  return Math.ceil(time / MINUTE)
    .toString(36)
    .padStart(EXPIRY_CHARACTERS, '0');
}

/** Returns the expiry of a valid ID as ISO 8601. */
export const fileExpiryText = (id: string): string => new Date(fileExpiry(id)!).toISOString();

/** Returns the expiry of a file in milliseconds since the epoch, or null if the text is not an ID. */
export function fileExpiry(id: string): number | null {
  if (!/^[0-9a-z]{6}[0-9A-Za-z]{22}$/.test(id)) return null;
  return Number.parseInt(id.slice(0, EXPIRY_CHARACTERS), 36) * MINUTE;
}
