/** Simulates storms of callers on a simulated clock, with the real admission, limiter and link cache. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

vi.mock('cloudflare:workers', () => ({
  waitUntil: () => {},
  DurableObject: class {
    readonly ctx: unknown;
    constructor(ctx: unknown) {
      this.ctx = ctx;
    }
  },
}));

import { Admission } from '../../src/access/admission.ts';
import { RememberingCounters } from '../../src/access/reserve.ts';
import { D1Links } from '../../src/adapters/d1-links.ts';
import type { Caller } from '../../src/core/caller.ts';
import type { Tool } from '../../src/core/define-tool.ts';
import { SimulatedClock } from './simulated-clock.ts';
import { SimulatedObjects, START } from './simulated-objects.ts';
import { CEILINGS, Rate, reportStorm } from './storm-report.ts';

const TOOL = { name: 'encode_base64', limits: [], access: 'anyone' } as unknown as Tool;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

const realNow = Date.now;
let clock: SimulatedClock;
beforeEach(() => {
  clock = new SimulatedClock();
  // The function is replaced directly, because a spy would record each of a million calls.
  Date.now = () => START + clock.now();
  vi.stubGlobal('scheduler', { wait: (ms: number) => clock.wait(ms) });
});
afterEach(() => {
  Date.now = realNow;
  vi.unstubAllGlobals();
});

const some = <T>(list: readonly T[]): T => list[Math.floor(clock.random() * list.length)]!;

/** Simulates isolates that cache exhausted limits. All isolates use the same Durable Objects. */
class Service {
  readonly objects = new SimulatedObjects(clock);
  readonly #isolates: RememberingCounters[];
  refused = 0;

  constructor(isolates: number) {
    this.#isolates = Array.from(
      { length: isolates },
      () => new RememberingCounters(this.objects.of, () => Date.now()),
    );
  }

  /** Makes a call. Returns whether it was admitted. */
  async call(caller: Caller): Promise<boolean> {
    const admission = new Admission(
      some(this.#isolates),
      caller,
      'execution',
      () => {},
      () => {},
    );
    try {
      await admission.refuseIfExhausted();
      await admission.admit([TOOL]);
      return true;
    } catch {
      this.refused += 1;
      return false;
    }
  }

  /** Prints the load of the storm for docs/scale.md. Returns the limits that it exceeded. */
  report(storm: string, contract: Record<string, boolean>): string[] {
    const { subjects, requests, peakPerSecond, peakOfAll, rowsWritten, alarms } = this.objects;
    const used = `${requests} requests, ${rowsWritten} rows, ${alarms} alarms, ${this.refused} calls refused`;
    const one = { name: 'the busiest object of LIMITS', peak: peakPerSecond };
    const all = { name: `all ${subjects} objects of LIMITS`, peak: peakOfAll };
    return reportStorm(
      `${storm}: ${used}`,
      [
        { ...one, ceiling: CEILINGS.object },
        { ...all, ceiling: CEILINGS.unlimited },
      ],
      contract,
    );
  }
}

/** Returns the largest number of timestamps within an interval of length `span`, including both ends. */
function mostWithin(times: readonly number[], span: number): number {
  let most = 0;
  let first = 0;
  for (const [index, time] of times.entries()) {
    while (time - times[first]! > span) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

describe('one key at 1,000 calls a second, in 50 isolates', () => {
  it('allows exactly 60 calls a minute, and sends its object a fraction of the calls', async () => {
    const service = new Service(50);
    const key = {
      id: 'k',
      kind: 'persistent',
      requestsPerDay: 1e6,
      tokensPerMonth: 1,
      bytesPerDay: 1,
    };
    const caller = { address: '203.0.113.7', accountId: 'a', key } as Caller;
    const passed: number[] = [];
    const storm = async () => {
      for (let call = 0; call < 70_000; call += 1) {
        if (call % 20 === 0) await clock.wait(20);
        if (await service.call(caller)) passed.push(clock.now());
      }
    };
    await clock.runUntil(storm());
    expect(mostWithin(passed, MINUTE_MS)).toBe(60);
    expect(passed.length).toBe(120);
    expect(service.objects.requests).toBeLessThan(70_000 / 20);
    expect(service.objects.rowsWritten).toBeLessThanOrEqual(2 * passed.length);
    await clock.runUntil(clock.wait(HOUR_MS + MINUTE_MS));
    const written = service.objects.usage.reduce((sum, { calls = 0 }) => sum + calls, 0);
    expect(written).toBe(passed.length);
    const contract = { '60 executions a minute': mostWithin(passed, MINUTE_MS) > 60 };
    expect(service.report('one key at 1,000 calls a second', contract)).toEqual([]);
  });
});

describe('a caller who pauses until its object is evicted', () => {
  it('makes at most 35 calls an hour, however they are timed', async () => {
    const service = new Service(3);
    const passed: number[] = [];
    const storm = async () => {
      for (let burst = 0; burst < 400; burst += 1) {
        for (let call = 0; call < 1 + (burst % 7); call += 1)
          if (await service.call({ address: '203.0.113.8' })) passed.push(clock.now());
        await clock.wait(11_000 + clock.random() * 20_000);
      }
    };
    await clock.runUntil(storm());
    expect(mostWithin(passed, HOUR_MS)).toBe(35);
    const contract = { '35 executions an hour': mostWithin(passed, HOUR_MS) > 35 };
    expect(service.report('bursts with pauses', contract)).toEqual([]);
  });
});

describe('a bot with 10,000 addresses', () => {
  it('creates 10,000 objects, and each receives only its own calls', async () => {
    const service = new Service(20);
    const addresses = Array.from({ length: 10_000 }, (_, n) => `10.0.${n >> 8}.${n & 255}`);
    const storm = async () => {
      for (let round = 0; round < 2; round += 1) {
        for (const [index, address] of addresses.entries()) {
          if (index % 20 === 0) await clock.wait(20);
          await service.call({ address });
        }
      }
    };
    await clock.runUntil(storm());
    expect(service.refused).toBe(0);
    expect(service.objects.subjects).toBe(10_000);
    expect(service.objects.peakPerSecond).toBe(1);
    // Each call writes a row, and each object sets an alarm, which later deletes the object.
    expect(service.objects.rowsWritten).toBe(3 * 10_000);
    await clock.runUntil(clock.wait(2 * HOUR_MS));
    expect(service.objects.alarms).toBeLessThanOrEqual(2 * 10_000);
    const contract = { '35 executions an hour': service.refused > 0 };
    expect(service.report('a bot with 10,000 addresses', contract)).toEqual([]);
  });
});

/** Simulates the cache of a data center. It responds within a millisecond. */
function dataCenterCache(): () => Promise<Cache> {
  const entries = new Map<string, string>();
  const cache = {
    match: async (address: string) => {
      await clock.wait(1);
      const text = entries.get(address);
      return text === undefined ? undefined : new Response(text);
    },
    put: async (address: string, response: Response) => {
      entries.set(address, await response.text());
    },
  };
  return async () => cache as unknown as Cache;
}

describe('a link opened by 100,000 people in a minute, in 200 isolates of 20 data centers', () => {
  it('is read at most six times per data center on average, and all visits are counted in few writes', async () => {
    const [reads, writes] = [new Rate(() => clock.now()), new Rate(() => clock.now())];
    let visits = 0;
    const link = { url: 'https://example.com/', removed: null, warned: null };
    const database = {
      withSession: () => database,
      prepare: () => ({
        bind: (given: string) => ({
          first: async () => {
            reads.count();
            await clock.wait(20);
            return link;
          },
          run: async () => {
            writes.count();
            visits += JSON.parse(given).abc;
          },
        }),
      }),
    } as unknown as ConstructorParameters<typeof D1Links>[0];
    const centers = Array.from({ length: 20 }, dataCenterCache);
    const isolates = Array.from(
      { length: 200 },
      (_, index) => new D1Links(database, 'https://t.example', undefined, centers[index % 20]),
    );
    let slowestMs = 0;
    const open = async (links: D1Links) => {
      const began = clock.now();
      expect(await links.find('abc')).toMatchObject(link);
      slowestMs = Math.max(slowestMs, clock.now() - began);
      links.countVisit('abc');
    };
    const storm = async () => {
      const opened: Promise<void>[] = [];
      for (let visit = 0; visit < 100_000; visit += 1) {
        if (visit % 50 === 0) await clock.wait(30);
        opened.push(open(some(isolates)));
      }
      await Promise.all(opened);
      await clock.wait(20_000);
    };
    await clock.runUntil(storm());
    expect(visits).toBe(100_000);
    // The limit allows several isolates of a data center to read at the same moment.
    expect(reads.total).toBeLessThanOrEqual(20 * 2 * 3);
    expect(writes.total).toBeLessThanOrEqual(200 * 7);
    const parts = [
      { name: 'reads of D1 LINKS', peak: reads.peak, ceiling: CEILINGS.d1 },
      { name: 'writes of D1 LINKS', peak: writes.peak, ceiling: CEILINGS.d1Writes },
    ];
    const used = `${reads.total} reads, ${writes.total} writes of one row, slowest ${slowestMs} ms`;
    const contract = { 'each visit is counted': visits !== 100_000 };
    expect(reportStorm(`a link of 100,000 visits: ${used}`, parts, contract)).toEqual([]);
  });
});
