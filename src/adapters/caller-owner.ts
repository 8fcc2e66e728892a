/** Determines the account or network whose share of a limited resource, such as CPU time, a call uses. */
import type { Caller } from '../core/caller.ts';
import { networkOf } from '../lib/network.ts';

export interface CallerOwner {
  kind: 'account' | 'address';
  /** The ID of an account or of a persistent key without one, an IPv4 address, or an IPv6 /64 network. */
  id: string;
}

/**
 * Returns the caller's account, its persistent key if the key has no account, or otherwise the caller's network. A
 * trial key does not identify its caller, because anyone can create one.
 */
export function ownerOf({ accountId, key, address }: Caller): CallerOwner {
  const account = accountId ?? (key?.kind === 'persistent' ? key.id : undefined);
  return account === undefined
    ? { kind: 'address', id: networkOf(address) }
    : { kind: 'account', id: account };
}
