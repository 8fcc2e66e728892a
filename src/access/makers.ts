/**
 * Identifies the maker of a file or short link by a keyed hash, so that operators can block the maker without knowing
 * the address.
 */
import { createHmac } from 'node:crypto';
import type { Caller } from '../core/caller.ts';
import type { MakerKey } from '../core/moderation.ts';
import { networkOf } from '../lib/network.ts';

const FORMAT = /^(account|address)\.(\d{1,9})\.[\w-]{22}$/;

type Owner = { kind: 'account' | 'address'; id: string };

/** Returns the caller's account, or the caller's network if the call has no account. A trial key has no account. */
const ownerOf = ({ accountId, address }: Caller): Owner =>
  accountId === undefined
    ? { kind: 'address', id: networkOf(address) }
    : { kind: 'account', id: accountId };

/**
 * Returns `address.3.` or `account.3.`, where 3 is the ID of the maker key, followed by 132 bits of an HMAC-SHA-256 in
 * base64url.
 */
function nameOf({ id: keyId, secret }: MakerKey, { kind, id }: Owner): string {
  const digest = createHmac('sha256', secret).update(`${kind} ${id}`).digest('base64url');
  return `${kind}.${keyId}.${digest.slice(0, 22)}`;
}

/** Returns the maker's name for new files and links. Returns undefined while no maker key is known. */
export function makerOf(keys: readonly MakerKey[], caller: Caller): string | undefined {
  const key = keys[0];
  return key && nameOf(key, ownerOf(caller));
}

/** Returns every name under which this caller may have created a file or link. */
export const makerNames = (keys: readonly MakerKey[], caller: Caller): string[] =>
  keys.map((key) => nameOf(key, ownerOf(caller)));

/**
 * Parses a maker's hashed name into the kind of owner and the key's ID. Returns null if the text is not such a name.
 */
export function readMaker(text: string): { kind: Owner['kind']; keyId: number } | null {
  const [, kind, keyId] = FORMAT.exec(text) ?? [];
  return kind === undefined ? null : { kind: kind as Owner['kind'], keyId: Number(keyId) };
}
