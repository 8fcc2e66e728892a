import { expect, it } from 'vitest';
import type { CallerKey } from '../core/caller.ts';
import { ownerOf } from './caller-owner.ts';

const key = (id: string, kind: CallerKey['kind']): CallerKey => ({
  id,
  kind,
  requestsPerDay: 1,
  tokensPerMonth: 1,
  bytesPerDay: 1,
});

it('counts trial keys by network, since anyone can create several', () => {
  const network = ownerOf({ address: '2001:db8::1' });
  expect(network).toEqual({ kind: 'address', id: '2001:db8::/64' });
  for (const id of ['k-1', 'k-2'])
    expect(ownerOf({ address: '2001:db8::2', key: key(id, 'trial') })).toEqual(network);
});

it('counts all keys and browsers of an account together', () => {
  const account = ownerOf({ address: '192.0.2.1', accountId: 'a-1' });
  expect(account).toEqual({ kind: 'account', id: 'a-1' });
  for (const id of ['k-1', 'k-2']) {
    const caller = { address: '192.0.2.2', accountId: 'a-1', key: key(id, 'persistent') };
    expect(ownerOf(caller)).toEqual(account);
  }
});
