/** Determines which owner's share of CPU time and browsers a call uses. */
import type { Caller } from '../core/caller.ts';
import { networkOf } from '../lib/network.ts';

export interface CallerOwner {
  kind: 'account' | 'address';
  /** An account's id, an IPv4 address or an IPv6 /64. */
  id: string;
}

/**
 * Returns the account of a call, or its network. Anyone can create a trial key, so its calls count
 * towards the network.
 */
export function ownerOf({ accountId, key, address }: Caller): CallerOwner {
  const account = accountId ?? (key?.kind === 'persistent' ? key.id : undefined);
  return account === undefined
    ? { kind: 'address', id: networkOf(address) }
    : { kind: 'account', id: account };
}
