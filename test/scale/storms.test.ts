/** Storms of callers before the real admission, limiter and link cache, on a simulated clock. */
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

const TOOL = { name: 'encode_base64', limits: [], access: 'anyone' } as unknown as Tool;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

const realNow = Date.now;
let clock: SimulatedClock;
beforeEach(() => {
  clock = new SimulatedClock();
  // A spy would remember each of a million calls.
  Date.now = () => START + clock.now();
  vi.stubGlobal('scheduler', { wait: (ms: number) => clock.wait(ms) });
});
afterEach(() => {
  Date.now = realNow;
  vi.unstubAllGlobals();
});

const some = <T>(list: readonly T[]): T => list[Math.floor(clock.random() * list.length)]!;

/** Isolates that remember spent limits, over the same objects. */
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

  /** Whether the call is admitted. */
  async call(caller: Caller): Promise<boolean> {
    const admission = new Admission(
      some(this.#isolates),
      caller,
      'execution',
      () => {},
      () => {},
    );
    try {
      await admission.refuseSpent();
      await admission.admit([TOOL]);
      return true;
    } catch {
      this.refused += 1;
      return false;
    }
  }

  /** Prints what the storm used, for docs/scale.md. */
  report(storm: string): void {
    const { subjects, requests, peakPerSecond, rowsWritten, alarms } = this.objects;
    console.info(
      `${storm}: ${subjects} objects, ${requests} requests (at most ${peakPerSecond} a second to one), ${rowsWritten} rows, ${alarms} alarms, ${this.refused} calls refused`,
    );
  }
}

/** The largest number of these times within a span, both ends included. */
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
  it('passes exactly its 60 a minute, and its object gets a fraction of the calls', async () => {
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
    // The limit of an object is about a thousand requests a second.
    expect(service.objects.peakPerSecond).toBeLessThanOrEqual(1000);
    expect(service.objects.rowsWritten).toBeLessThanOrEqual(2 * passed.length);
    await clock.runUntil(clock.wait(HOUR_MS + MINUTE_MS));
    const written = service.objects.usage.reduce((sum, { calls = 0 }) => sum + calls, 0);
    expect(written).toBe(passed.length);
    service.report('one key at 1,000 calls a second');
  });
});

describe('a caller who pauses until its object is evicted', () => {
  it('passes 35 calls an hour all the same, however they come', async () => {
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
    service.report('bursts with pauses');
  });
});

describe('a bot with 10,000 addresses', () => {
  it('meets 10,000 objects, none of which gets more than its own calls', async () => {
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
    // Each call writes a row, and one alarm deletes the object.
    expect(service.objects.rowsWritten).toBe(3 * 10_000);
    await clock.runUntil(clock.wait(2 * HOUR_MS));
    expect(service.objects.alarms).toBeLessThanOrEqual(2 * 10_000);
    service.report('a bot with 10,000 addresses');
  });
});

describe('a link that 100,000 people open in a minute, in 200 isolates', () => {
  it('is read twice by each isolate, and all visits are counted in few writes', async () => {
    const used = { reads: 0, writes: 0, visits: 0 };
    const link = { url: 'https://example.com/', removed: null, warned: null };
    const database = {
      withSession: () => database,
      prepare: () => ({
        bind: (given: string) => ({
          first: async () => {
            used.reads += 1;
            return link;
          },
          run: async () => {
            used.writes += 1;
            used.visits += JSON.parse(given).abc;
          },
        }),
      }),
    } as unknown as ConstructorParameters<typeof D1Links>[0];
    const isolates = Array.from({ length: 200 }, () => new D1Links(database, 'https://t.example'));
    const storm = async () => {
      for (let visit = 0; visit < 100_000; visit += 1) {
        if (visit % 50 === 0) await clock.wait(30);
        const links = some(isolates);
        await links.find('abc');
        links.countVisit('abc');
      }
      await clock.wait(20_000);
    };
    await clock.runUntil(storm());
    expect(used.visits).toBe(100_000);
    expect(used.reads).toBeLessThanOrEqual(200 * 2);
    expect(used.writes).toBeLessThanOrEqual(200 * 7);
    console.info(`a link of 100,000 visits: ${used.reads} reads, ${used.writes} writes of one row`);
  });
});
