import { describe, expect, it } from 'vitest';
import { LocalCounters } from '../../test/support/local-counters.ts';
import type { Caller } from '../core/caller.ts';
import { ToolError } from '../core/errors.ts';
import { GB, MB } from '../core/limits.ts';
import type { Ledger, LedgerAnswer, StoredBy } from '../core/stored-bytes.ts';
import { CountedStorage } from './storage-budget.ts';

const END = Date.UTC(2026, 10, 30);
const anonymous: Caller = { address: '203.0.113.7' };
const quotas = { requestsPerDay: 1, tokensPerMonth: 1, bytesPerDay: 5 * MB };
const keyed: Caller = {
  ...anonymous,
  accountId: 'a',
  key: { id: 'k', kind: 'persistent', ...quotas },
};

class LocalLedger implements Ledger {
  answer: LedgerAnswer = 'taken';
  readonly bytes: Record<StoredBy, number> = { anonymous: 0, known: 0 };

  async take(bytes: number, _: number, owner: StoredBy): Promise<LedgerAnswer> {
    if (this.answer === 'taken') this.bytes[owner] += bytes;
    return this.answer;
  }

  async release(bytes: number, _: number, owner: StoredBy): Promise<void> {
    this.bytes[owner] -= bytes;
  }
}

const refusal = async (added: Promise<void>): Promise<ToolError> => {
  const error = await added.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ToolError)) throw new Error(`not refused: ${String(error)}`);
  return error;
};

describe('the storage quota', () => {
  it('limits an anonymous address to 2 GB per day and counts IPv6 by /64', async () => {
    const budget = new CountedStorage(new LocalCounters().of, null);
    const from = (address: string) => budget.reservation({ address }, END);
    await from('2001:db8:1:2::1').add(2 * GB);
    const error = await refusal(from('2001:db8:1:2:ffff::9').add(1));
    expect(error).toMatchObject({ code: 'rate_limited', status: 429, retryAfter: 12 * 3600 });
    await from('2001:db8:1:3::1').add(1);
  });

  it('limits a key to its own quota and a signed-in account to the default', async () => {
    const budget = new CountedStorage(new LocalCounters().of, null);
    await budget.reservation(keyed, END).add(5 * MB);
    const error = await refusal(budget.reservation(keyed, END).add(1));
    expect(error).toMatchObject({ code: 'quota_exceeded', status: 429, retryAfter: 12 * 3600 });
    await budget.reservation({ ...anonymous, accountId: 'a' }, END).add(10 * GB);
    await refusal(budget.reservation({ ...anonymous, accountId: 'a' }, END).add(1));
  });

  it.each([
    [10 * GB, '10 GB'],
    [1.5 * MB, '1.5 MB'],
    [2048, '2 KB'],
  ])('states a quota of %i bytes as %s', async (bytesPerDay, said) => {
    const caller: Caller = { ...anonymous, key: { ...keyed.key!, bytesPerDay } };
    const budget = new CountedStorage(new LocalCounters().of, null);
    const error = await refusal(budget.reservation(caller, END).add(11 * GB));
    expect(error.message).toContain(`storage quota of ${said} a day`);
  });

  it.each(['full', 'anonymous-full', 'disk-full'] as const)(
    'returns 503 and charges no one when the service is %s',
    async (answer) => {
      const counters = new LocalCounters();
      const ledger = new LocalLedger();
      const budget = new CountedStorage(counters.of, () => ledger);
      ledger.answer = answer;
      const error = await refusal(budget.reservation(anonymous, END).add(2 * GB));
      expect(error).toMatchObject({ code: 'internal', status: 503 });
      expect(error.retryAfter).toBeGreaterThan(0);
      ledger.answer = 'taken';
      await budget.reservation(anonymous, END).add(2 * GB);
    },
  );

  it('returns 503 and charges no one when the total cannot be read', async () => {
    const ledger = new LocalLedger();
    const budget = new CountedStorage(new LocalCounters().of, () => ledger);
    ledger.take = () => Promise.reject(new Error('the object is overloaded'));
    const error = await refusal(budget.reservation(keyed, END).add(5 * MB));
    expect(error).toMatchObject({
      status: 503,
      retryAfter: 5,
      message: 'The storage usage cannot be read. Try again in a moment.',
    });
    ledger.take = async () => 'taken';
    await budget.reservation(keyed, END).add(5 * MB);
  });

  it('leaves the total unchanged when it refuses', async () => {
    const ledger = new LocalLedger();
    const budget = new CountedStorage(new LocalCounters().of, () => ledger);
    await refusal(budget.reservation(keyed, END).add(6 * MB));
    expect(ledger.bytes).toEqual({ anonymous: 0, known: 0 });
  });

  it('releases a reservation once, from the quota and from the total', async () => {
    const ledger = new LocalLedger();
    const budget = new CountedStorage(new LocalCounters().of, () => ledger);
    const reservation = budget.reservation(keyed, END);
    await reservation.add(2 * MB);
    await reservation.add(3 * MB);
    expect(ledger.bytes.known).toBe(5 * MB);
    await refusal(reservation.add(1));
    await reservation.release();
    await reservation.release();
    expect(ledger.bytes.known).toBe(0);
    await budget.reservation(keyed, END).add(5 * MB);
  });

  it('lowers the total on early deletion but not the used daily quota', async () => {
    const ledger = new LocalLedger();
    const budget = new CountedStorage(new LocalCounters().of, () => ledger);
    await budget.reservation(keyed, END).add(5 * MB);
    await budget.freed(5 * MB, END, 'known');
    expect(ledger.bytes.known).toBe(0);
    await refusal(budget.reservation(keyed, END).add(1));
  });

  it('counts trial keys and caches as anonymous in the total', async () => {
    const ledger = new LocalLedger();
    const budget = new CountedStorage(new LocalCounters().of, () => ledger);
    const trial: Caller = { ...anonymous, key: { id: 't', kind: 'trial', ...quotas } };
    await budget.reservation(trial, END).add(1);
    await budget.reservation(null, END).add(2);
    expect(ledger.bytes).toEqual({ anonymous: 3, known: 0 });
  });

  it('returns 503 while the counters are down', async () => {
    const counters = new LocalCounters();
    counters.down = true;
    const error = await refusal(
      new CountedStorage(counters.of, null).reservation(anonymous, END).add(1),
    );
    expect(error).toMatchObject({ status: 503 });
  });
});
