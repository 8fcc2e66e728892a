/** Names a caller to the media worker, which needs to distinguish callers but not to know them. */
import type { Caller } from '../core/caller.ts';
import { ownerOf } from './caller-owner.ts';

const NAME_BYTES = 16;

/** `account` or `address`, and the first 16 bytes of an HMAC-SHA-256 in hex. */
export async function opaqueCaller(caller: Caller, secret: string): Promise<string> {
  const { kind, id } = ownerOf(caller);
  const bytes = (text: string) => new TextEncoder().encode(text);
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const signing = await crypto.subtle.importKey('raw', bytes(secret), hmac, false, ['sign']);
  const digest = await crypto.subtle.sign('HMAC', signing, bytes(`caller ${kind} ${id}`));
  return `${kind} ${new Uint8Array(digest, 0, NAME_BYTES).toHex()}`;
}
