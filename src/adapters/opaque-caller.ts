/** Names a caller to the media worker, which tells callers apart and learns nothing else of them. */
import type { Caller } from '../core/caller.ts';
import { networkOf } from '../lib/network.ts';

const NAME_BYTES = 16;

/**
 * `account` or `address`, and the first 16 bytes of an HMAC-SHA-256 in hex. A trial key is anyone's to make, so its calls
 * count as those of its address.
 */
export async function opaqueCaller(caller: Caller, secret: string): Promise<string> {
  const { accountId, key, address } = caller;
  const owner = accountId ?? (key?.kind === 'persistent' ? key.id : undefined);
  const kind = owner === undefined ? 'address' : 'account';
  const bytes = (text: string) => new TextEncoder().encode(text);
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const signing = await crypto.subtle.importKey('raw', bytes(secret), hmac, false, ['sign']);
  const named = `caller ${kind} ${owner ?? networkOf(address)}`;
  const digest = await crypto.subtle.sign('HMAC', signing, bytes(named));
  return `${kind} ${new Uint8Array(digest, 0, NAME_BYTES).toHex()}`;
}
