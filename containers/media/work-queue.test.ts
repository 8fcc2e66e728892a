import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CallerBudget, CpuLedger } from './cpu-ledger.ts';
import { type Ticket, WorkQueue } from './work-queue.ts';

const never = new AbortController().signal;
const caller = (key: string): CallerBudget => ({ key, cpuSeconds: 60 });
const [A, B, C] = [caller('a'), caller('b'), caller('c')];
/** A time limit for waiting calls, in milliseconds. No call in these tests waits that long. */
const LONG = 2 ** 30;

/** Returns a queue, and an array of its calls in the order in which they start. */
function observed(concurrency: number, waitingLimit = 8) {
  const clock = { now: 0 };
  const ledger = new CpuLedger(() => clock.now);
  const queue = new WorkQueue(concurrency, waitingLimit, 5, LONG, ledger);
  const started: string[] = [];
  const tickets = new Map<string, Ticket>();
  const enter = (name: string, from?: CallerBudget) => {
    const ticket = queue.enter(from);
    tickets.set(name, ticket);
    ticket.acquire(never).then(
      () => started.push(name),
      () => undefined,
    );
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const leave = async (name: string) => {
    tickets.get(name)?.leave();
    await settle();
  };
  return { queue, ledger, clock, started, enter, leave, settle };
}

describe('a work queue', () => {
  it('runs some calls, queues some, and refuses the next with 503 and Retry-After', async () => {
    const queue = new WorkQueue(1, 1, 7);
    const [first, second] = [queue.enter(), queue.enter()];
    await first.acquire(never);
    expect(() => queue.enter()).toThrow(expect.objectContaining({ status: 503, retryAfter: 7 }));
    const acquire = second.acquire(never);
    expect(queue.load()).toMatchObject({ running: 1, waiting: 1 });
    first.leave();
    await acquire;
    second.leave();
    expect(queue.load()).toMatchObject({ running: 0, waiting: 0 });
  });

  it('refuses a call that has waited too long, and removes callers that disconnect', async () => {
    const queue = new WorkQueue(1, 9, 5, 30);
    const tickets = [queue.enter(), queue.enter(), queue.enter()];
    await tickets[0]?.acquire(never);
    await expect(tickets[1]?.acquire(never)).rejects.toMatchObject({ status: 503, retryAfter: 5 });
    const gone = new Error('gone');
    const leaving = new AbortController();
    const acquire = tickets[2]?.acquire(leaving.signal);
    leaving.abort(gone);
    await expect(acquire).rejects.toBe(gone);
    for (const ticket of tickets) ticket.leave();
    expect(queue.load()).toMatchObject({ running: 0, waiting: 0 });
    await queue.enter().acquire(never);
  });

  it('limits one caller to half of the waiting slots', () => {
    const { queue, enter } = observed(2, 8);
    for (let call = 0; call < 6; call += 1) enter(`a${call}`, A);
    expect(() => queue.enter(A)).toThrow(expect.objectContaining({ status: 503 }));
    for (let call = 0; call < 4; call += 1) enter(`b${call}`, B);
    expect(() => queue.enter(C)).toThrow(expect.objectContaining({ status: 503 }));
  });

  it('alternates between callers', async () => {
    const { enter, leave, started, settle } = observed(1);
    for (const call of ['a1', 'a2', 'a3']) enter(call, A);
    enter('b1', B);
    enter('c1', C);
    enter('b2', B);
    await settle();
    for (let call = 0; call < 5; call += 1) await leave(started[call] ?? '');
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  it('serves a caller over its budget after all others, including later ones', async () => {
    const { enter, leave, started, ledger, settle } = observed(1);
    ledger.charge('a', 60);
    enter('b1', B);
    enter('a1', A);
    enter('b2', B);
    enter('c1', C);
    await settle();
    for (let call = 0; call < 3; call += 1) await leave(started[call] ?? '');
    expect(started.at(-1)).toBe('a1');
  });

  it('runs one call at a time of a caller over its budget, and leaves a slot for others', async () => {
    const { enter, leave, started, ledger, settle } = observed(3);
    ledger.charge('a', 60);
    ledger.charge('b', 60);
    ledger.charge('c', 99);
    for (const call of ['a1', 'a2']) enter(call, A);
    enter('b1', B);
    enter('c1', C);
    await settle();
    expect(started).toEqual(['a1', 'b1']);
    enter('d1', caller('d'));
    await settle();
    expect(started).toEqual(['a1', 'b1', 'd1']);
    await leave('a1');
    expect(started.at(-1)).toBe('a2');
  });

  it('does not slow down a single caller, and forgives a caller after a minute', async () => {
    const alone = observed(2);
    alone.ledger.charge('a', 600);
    for (const call of ['a1', 'a2']) alone.enter(call, A);
    await alone.settle();
    expect(alone.started).toEqual(['a1', 'a2']);

    const { enter, leave, started, ledger, clock, settle } = observed(1);
    ledger.charge('a', 60);
    enter('b0', B);
    await settle();
    enter('a1', A);
    enter('b1', B);
    clock.now = 60_001;
    await leave('b0');
    expect(started).toEqual(['b0', 'a1']);
  });

  it('starts every call within its limit and in turn, in any order of arrivals and departures', async () => {
    const event = fc.oneof(
      fc.record({ kind: fc.constant('enter' as const), from: fc.nat(3) }),
      fc.record({ kind: fc.constant('leave' as const), which: fc.nat(9) }),
      fc.record({ kind: fc.constant('charge' as const), from: fc.nat(3), seconds: fc.nat(80) }),
      fc.record({ kind: fc.constant('time' as const), passed: fc.nat(40_000) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(event), async (slots, events) => {
        const { queue, enter, leave, started, ledger, clock, settle } = observed(slots, 6);
        const callers = [undefined, A, B, C];
        const running = () => started.filter((name) => !left.has(name));
        const left = new Set<string>();
        const end = async (name: string | undefined) => {
          if (name === undefined) return;
          left.add(name);
          await leave(name);
        };
        let entered = 0;
        for (const happens of events) {
          if (happens.kind === 'enter') {
            try {
              enter(`call ${entered}`, callers[happens.from]);
              entered += 1;
            } catch (error) {
              expect(error).toMatchObject({ status: 503 });
            }
          } else if (happens.kind === 'leave') await end(running()[happens.which]);
          else if (happens.kind === 'charge')
            ledger.charge(`${'abcd'[happens.from]}`, happens.seconds);
          else clock.now += happens.passed;
          await settle();
          expect(running().length).toBe(queue.load().running);
          expect(running().length).toBeLessThanOrEqual(slots);
          // A slot may stay free only if no waiting call is allowed to use it. Callers within their budget are always
          // allowed to use one.
          if (queue.load().waiting > 0) expect(running().length).toBeGreaterThan(0);
        }
        while (running().length > 0) await end(running()[0]);
        expect(new Set(started).size).toBe(entered);
        expect(queue.load()).toMatchObject({ running: 0, waiting: 0 });
      }),
      { numRuns: 200 },
    );
  });
});
