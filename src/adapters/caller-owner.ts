/** Determines the account or network whose share of CPU time and browsers a call uses. */
import type { Caller } from '../core/caller.ts';
import { networkOf } from '../lib/network.ts';

export interface CallerOwner {
  kind: 'account' | 'address';
  /** The ID of an account, an IPv4 address, or an IPv6 /64 network. */
  id: string;
}

/**
 * Returns the caller's account or, if there is none, the caller's network. A trial key has no account, because anyone
 * can create one.
 */
export function ownerOf({ accountId, key, address }: Caller): CallerOwner {
  const account = accountId ?? (key?.kind === 'persistent' ? key.id : undefined);
  return account === undefined
    ? { kind: 'address', id: networkOf(address) }
    : { kind: 'account', id: account };
}
