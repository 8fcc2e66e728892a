/// <reference types="@cloudflare/vitest-plugin/types" />
import { evictDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { type Ask, LOAN_MS } from '../core/counters.ts';
import { DurableCounters } from './durable-counters.ts';

const ask: Ask = { policy: 'calls', limit: 35, per: 'window', seconds: 3600, cost: 1 };
const isolate = () => new DurableCounters(env.LIMITS);

/** An isolate to which the answer of the named method does not come, once. */
function isolateThatLoses() {
  const lost = new Set<string>();
  const answerOf = (method: string, stub: object) => {
    const ask = Reflect.get(stub, method) as (...given: unknown[]) => Promise<unknown>;
    return async (...given: unknown[]) => {
      const answer = await ask(...given);
      if (lost.delete(method)) throw new Error('The answer is lost.');
      return answer;
    };
  };
  const namespace = new Proxy(env.LIMITS, {
    get: (target) => (subject: string) =>
      new Proxy(target.getByName(subject), {
        get: (stub, method: string) => answerOf(method, stub),
      }),
  });
  return { counters: new DurableCounters(namespace), lost };
}

describe('DurableCounters', () => {
  it('let as many calls through as there is room for, and tell what is left of it', async () => {
    const counters = isolate();
    const left: number[] = [];
    for (let call = 0; call < 35; call++) {
      const { allowed, standings } = await counters.take('in-a-row', [ask]);
      expect(allowed).toBe(true);
      left.push(standings[0]!.remaining);
    }
    expect(left).toEqual(Array.from({ length: 35 }, (_, call) => 34 - call));
    expect(await counters.take('in-a-row', [ask])).toMatchObject({
      allowed: false,
      standings: [{ remaining: 0, refuses: true }],
    });
  });

  it('ask the counters once for several calls in a row', async () => {
    let asked = 0;
    const counted = new Proxy(env.LIMITS, {
      get: (target, name) => {
        if (name === 'getByName') asked += 1;
        return Reflect.get(target, name).bind(target);
      },
    });
    const counters = new DurableCounters(counted);
    for (let call = 0; call < 10; call++) await counters.take('seldom-asked', [ask]);
    expect(asked).toBe(2);
    // What takes of another subject too asks each time.
    for (let call = 0; call < 10; call++) await counters.take('asked-each-time', [ask], false);
    expect(asked).toBe(12);
    const [standing] = await counters.standings('seldom-asked', [ask]);
    expect(standing!.remaining).toBe(25);
  });

  it('let exactly so many of the same moment through', async () => {
    const counters = isolate();
    const verdicts = await Promise.all(
      Array.from({ length: 60 }, () => counters.take('at-once', [ask])),
    );
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(35);
  });

  it('let nobody through twice, and refuse nobody, for units that another isolate has on loan', async () => {
    const [one, other] = [isolate(), isolate()];
    for (let call = 0; call < 4; call++) await one.take('two-isolates', [ask]);
    const verdicts = await Promise.all(
      Array.from({ length: 40 }, () => other.take('two-isolates', [ask])),
    );
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(31);
  });

  it('give back what was taken of a loan, and tell what is left then', async () => {
    const counters = isolate();
    for (let call = 0; call < 3; call++) await counters.take('given-back', [ask]);
    const { at } = await counters.take('given-back', [ask]);
    expect(await counters.release('given-back', [ask], at)).toMatchObject([{ remaining: 32 }]);
  });

  it('return a loan once, also when the answer to it is lost', async () => {
    const { counters, lost } = isolateThatLoses();
    for (let call = 0; call < 10; call++) await counters.take('returned-twice', [ask]);
    lost.add('standings');
    await expect(counters.standings('returned-twice', [ask])).rejects.toThrow('lost');
    expect(await counters.standings('returned-twice', [ask])).toMatchObject([{ remaining: 25 }]);
  });

  it('return what was lent with an answer that is lost', async () => {
    const { counters, lost } = isolateThatLoses();
    await counters.take('lent-in-vain', [ask]);
    lost.add('take');
    await expect(counters.take('lent-in-vain', [ask])).rejects.toThrow('lost');
    const started = Date.now();
    const verdicts = await Promise.all(
      Array.from({ length: 40 }, () => isolate().take('lent-in-vain', [ask])),
    );
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(33);
    // Who waits for the loan does not wait for the next one too.
    expect(Date.now() - started).toBeLessThan(6000);
  });

  it('return what is on loan after its time, and at the end of the isolate', async () => {
    const [one, other] = [isolate(), isolate()];
    const leftOf = async (subject: string) => (await other.standings(subject, [ask]))[0]!.remaining;
    for (const subject of ['swept', 'flushed']) {
      for (let call = 0; call < 4; call++) await one.take(subject, [ask]);
    }
    expect(await leftOf('flushed')).toBe(33);
    await one.flush();
    await evictDurableObject(env.LIMITS.getByName('flushed'));
    expect(await leftOf('flushed')).toBe(31);
    for (let call = 0; call < 2; call++) await one.take('swept', [ask]);
    await expect.poll(() => leftOf('swept'), { timeout: LOAN_MS + 2000 }).toBe(29);
  });

  it('ask no more objects for one request than it may, however often these do not answer', async () => {
    let asked = 0;
    const standing = { remaining: 9, resetAt: Date.now() + 3_600_000, refuses: false };
    const dead = {
      getByName: () => ({
        take: async (_asks: unknown, _returns: unknown, id: string) => ({
          ...{ allowed: true, at: Date.now(), standings: [standing] },
          loan: { id, units: 2, until: Date.now() + LOAN_MS },
        }),
        settle: async () => {
          asked += 1;
          throw new Error('Nobody is there.');
        },
      }),
    };
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const counters = new DurableCounters(dead as unknown as typeof env.LIMITS);
    for (let caller = 0; caller < 1000; caller++) await counters.take(`caller-${caller}`, [ask]);
    await expect.poll(() => asked, { timeout: 2 * LOAN_MS }).toBe(900);
    await scheduler.wait(2 * LOAN_MS);
    log.mockRestore();
    expect(asked).toBe(900);
  });
});
