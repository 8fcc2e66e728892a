/** Derives an opaque name for a caller, so that the media worker can distinguish callers without identifying them. */
import { createHmac } from 'node:crypto';
import type { Caller } from '../core/caller.ts';
import { ownerOf } from './caller-owner.ts';

/** Returns `account` or `address`, followed by the first 16 bytes of an HMAC-SHA-256 in hex. */
export function opaqueCaller(caller: Caller, secret: string): string {
  const { kind, id } = ownerOf(caller);
  const digest = createHmac('sha256', secret).update(`caller ${kind} ${id}`).digest('hex');
  return `${kind} ${digest.slice(0, 32)}`;
}
