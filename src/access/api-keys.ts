/** Creates and verifies API keys. */
import { ToolError } from '../core/errors.ts';
import type { FoundKey, KeyKind, KeyLookUp } from '../core/key-store.ts';
import { GB } from '../core/limits.ts';
import { randomBase62, toBase62 } from '../lib/base62.ts';
import { crc32 } from '../lib/crc32.ts';
import { sha256 } from '../lib/sha256.ts';

const PREFIX = 'tsk_';
const FORMAT = /^tsk_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

interface KeyQuotas {
  requestsPerDay: number;
  tokensPerMonth: number;
  bytesPerDay: number;
}

/** The number of bytes that an IP address without a key may store per day. */
export const ANONYMOUS_BYTES_PER_DAY = 2 * GB;

/** The quotas of a new key (decisions.md, Callers). Each key stores its own copy, which operators can change. */
export const QUOTAS: Record<KeyKind, KeyQuotas> = {
  trial: { requestsPerDay: 1000, tokensPerMonth: 20_000, bytesPerDay: ANONYMOUS_BYTES_PER_DAY },
  persistent: { requestsPerDay: 10_000, tokensPerMonth: 1_000_000, bytesPerDay: 10 * GB },
};

/** Creates a key from a prefix, 190 random bits and a checksum (GitHub's token format). */
export function makeKey(): string {
  const secret = randomBase62(32);
  return PREFIX + secret + checkDigits(secret);
}

/** Whether the text has the format of a key and a valid checksum. This check rejects mistyped keys without a lookup. */
export function checkKeyFormat(text: string): boolean {
  const [, secret, digits] = FORMAT.exec(text) ?? [];
  return secret !== undefined && checkDigits(secret) === digits;
}

const checkDigits = (secret: string) => toBase62(crc32(new TextEncoder().encode(secret)), 6);

/** Returns the display form of a key, which consists of its first 8 and last 4 characters. */
export const displayOf = (key: string) => `${key.slice(0, 8)}…${key.slice(-4)}`;

/** Returns the data to store for a key. It does not contain the key itself. */
export const storedFormOf = async (key: string) => ({
  hash: await sha256(key),
  display: displayOf(key),
});

/**
 * Returns the ID of a key that a form creates. The ID is derived from the account and the form instance, but reveals
 * neither.
 */
export const keyIdOf = async (accountId: string | null, once: string): Promise<string> =>
  (await sha256(`${accountId ?? 'trial'} ${once}`)).slice(0, 32);

/** Finds a key, even if it is revoked or has expired. Throws 401 if no key matches. */
export async function findKey(text: string, keys: KeyLookUp, isFresh: boolean): Promise<FoundKey> {
  if (!checkKeyFormat(text)) {
    throw new ToolError(
      'invalid_key',
      text.startsWith(PREFIX)
        ? 'The API key is incomplete or mistyped: its checksum does not match. Copy the whole key.'
        : 'This is not a key of this service: keys begin with tsk_. Create one at /developers, or call without a key.',
    );
  }
  const key = await keys.find(await sha256(text), isFresh);
  if (!key) {
    throw new ToolError(
      'invalid_key',
      'Unknown API key: it may belong to another deployment or have been rotated more than once. Create a new key at /developers.',
    );
  }
  return key;
}

/** Throws 401 with `key_revoked` or `key_expired` if a key is no longer valid. */
export function refuseEnded(key: FoundKey, now: number): void {
  if (key.revokedAt !== null) {
    throw new ToolError(
      'key_revoked',
      `The key ${key.display} was revoked ${dateText(key.revokedAt)}. Create a new one at /developers.`,
    );
  }
  if (key.expiresAt !== null && key.expiresAt <= now) {
    throw new ToolError(
      'key_expired',
      key.kind === 'trial'
        ? `The trial key ${key.display} expired ${dateText(key.expiresAt)}. Create a new one at /developers, or sign in there for a permanent key.`
        : `The key ${key.display} expired ${dateText(key.expiresAt)}. Create a new one at /developers.`,
    );
  }
  if (key.outdated && key.previous && key.previous.expiresAt <= now) {
    throw new ToolError(
      'key_expired',
      `The key ${key.previous.display} was replaced by ${key.display}, and the overlap ended ${dateText(key.previous.expiresAt)}. Use the new key.`,
    );
  }
}

/** Formats a time, such as `on 2026-11-21 at 10:00 UTC`. */
const dateText = (time: number) =>
  `on ${new Date(time).toISOString().slice(0, 16).replace('T', ' at ')} UTC`;
