import { describe, expect, it } from 'vitest';
import { FairQueue, type QueueEntry } from './fair-queue.ts';

const CAPACITY = { units: 4, perCaller: 2, entries: 20 };

/** Creates an entry for each caller, in order. An entry is null if the queue was full. */
const enterAll = (queue: FairQueue, callers: string) =>
  [...callers].map((caller) => queue.enter(caller, 0));

/**
 * Starts all entries that can start and then ends the oldest running entry, until all have been served. Returns the
 * callers in the order of service.
 */
function serve(queue: FairQueue, entries: (QueueEntry | null)[]): string {
  const waiting = entries.filter((entry) => entry !== null);
  const running: QueueEntry[] = [];
  let order = '';
  while (order.length < entries.length) {
    const next = waiting.find((entry) => entry.state === 'waiting' && queue.start(entry, 1));
    if (next) {
      order += next.caller;
      running.push(next);
    } else {
      const first = running.shift();
      if (!first) break;
      queue.leave(first);
    }
  }
  return order;
}

describe('FairQueue', () => {
  it('gives one caller two slots and another caller the rest', () => {
    const queue = new FairQueue(CAPACITY);
    const entries = enterAll(queue, 'aaaaaaaaaab');
    const startNext = () =>
      entries.find((entry) => entry?.state === 'waiting' && queue.start(entry, 1));
    let started = '';
    for (let next = startNext(); next; next = startNext()) started += next.caller;
    // The caller must leave the fourth slot to other callers.
    expect(started).toBe('aba');
  });

  it('serves callers in turn, however many entries one of them has', () => {
    const queue = new FairQueue({ ...CAPACITY, units: 1 });
    expect(serve(queue, enterAll(queue, 'aaaaaabbc'))).toBe('abcabaaaa');
  });

  it('lets no caller starve while new callers keep arriving', () => {
    const queue = new FairQueue({ ...CAPACITY, units: 1 });
    const entries = enterAll(queue, 'aab');
    let served = '';
    for (let round = 0; !served.includes('aa') && round < 10; round += 1) {
      entries.push(queue.enter(`n${round}`, 0));
      const next = entries.find((entry) => entry?.state === 'waiting' && queue.start(entry, 1))!;
      served += next.caller[0];
      queue.leave(next);
      if (served.split('a').length === 3) return;
    }
    expect.unreachable(`the second of a was never served: ${served}`);
  });

  it('refuses the caller who filled it, and displaces that caller’s last entry for another caller', () => {
    const queue = new FairQueue(CAPACITY);
    const entries = enterAll(queue, 'a'.repeat(21));
    expect(entries.at(-1)).toBeNull();
    expect(queue.enter('b', 0)?.state).toBe('waiting');
    expect(entries.map((entry) => entry?.state)).toEqual([
      ...Array(19).fill('waiting'),
      'displaced',
      undefined,
    ]);
    expect(queue.enter('a', 0)).toBeNull();
  });

  it('counts units and starts no entry that exceeds the remaining capacity', () => {
    const queue = new FairQueue({ units: 10, perCaller: 6, entries: 20 });
    const first = queue.enter('a', 0, 6)!;
    expect(queue.start(first, 1)).toBe(true);
    const second = queue.enter('a', 0, 1)!;
    const third = queue.enter('b', 0, 5)!;
    expect(queue.start(second, 1)).toBe(false);
    expect(queue.start(third, 1)).toBe(false);
    queue.leave(first);
    expect(queue.start(second, 1)).toBe(true);
    expect(queue.start(third, 1)).toBe(true);
  });

  it('reports over capacity while an entry that grew is running', () => {
    const queue = new FairQueue({ units: 10, perCaller: 10, entries: 20 });
    const entry = queue.enter('a', 0, 6)!;
    queue.start(entry, 1);
    entry.units = 11;
    expect(queue.isOver()).toBe(true);
    expect(queue.isOver('a')).toBe(true);
    expect(queue.isOver('b')).toBe(false);
    queue.leave(entry);
    expect(queue.isOver()).toBe(false);
  });

  it('skips a blocked caller', () => {
    const queue = new FairQueue({ ...CAPACITY, units: 1 }, (caller) => caller === 'a');
    const [blocked, next] = enterAll(queue, 'ab');
    expect(queue.start(blocked!, 1)).toBe(false);
    expect(queue.start(next!, 1)).toBe(true);
  });

  it('reports contention only for waiting callers below their own limit', () => {
    const queue = new FairQueue({ units: 10, perCaller: 5, entries: 20 });
    const entry = queue.enter('a', 0, 5)!;
    queue.start(entry, 0);
    queue.enter('a', 0, 5);
    expect(queue.isContended(1)).toBe(false);
    queue.enter('b', 0, 10);
    expect(queue.isContended(1)).toBe(false);
    queue.enter('b', 0, 5);
    expect(queue.isContended(1)).toBe(true);
  });

  it('removes a running entry that was not renewed', () => {
    const queue = new FairQueue({ units: 1, perCaller: 1, entries: 1, lostMs: 1000 });
    const lost = queue.enter('a', 0)!;
    queue.start(lost, 0);
    expect(queue.enter('b', 999)).toBeNull();
    const next = queue.enter('b', 1000)!;
    expect(queue.start(next, 1000)).toBe(true);
  });

  it('skips an entry that stopped polling', () => {
    const queue = new FairQueue({ ...CAPACITY, units: 1 });
    const [silent, next] = enterAll(queue, 'ab');
    expect(queue.start(next!, 1000)).toBe(false);
    expect(queue.start(next!, 3000)).toBe(true);
    expect(silent!.state).toBe('waiting');
  });
});
