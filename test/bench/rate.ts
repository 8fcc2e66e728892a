/** Compares the request rate of encode_base64 with that of a bare Hono route. Both run directly in workerd. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '../../scripts/local-database.ts';
import { makeOperatorKey } from '../../scripts/operator-key.ts';
import { startWorker } from '../../scripts/worker.ts';
import { startTestWorker } from '../support/test-worker.ts';
import { memoryFolder } from './memory-folder.ts';
import { atLeast, atMost, median, type Row } from './row.ts';
import { type Measured, wrk } from './wrk.ts';

/**
 * The rounds are short, so that no Durable Object stays idle for ten seconds. workerd would evict it, and restarting it
 * takes 2 ms.
 */
const LOAD = { connections: 16, seconds: 2 };
const ROUNDS = 7;
const PATH = '/api/v1/tools/execute';
export const BARE_WORKER = 'test/bench/bare-worker/wrangler.toml';
const CALLERS = 1000;
/**
 * The number of calls after which new anonymous callers are used. It allows 22 calls per caller, well below the limit
 * of 35 per hour, because the last run may exceed it.
 */
const CALLS_OF_ALL = 22 * CALLERS;
/** The number of calls with all keys after which the benchmark waits, because each key is limited to 60 per minute. */
const CALLS_OF_KEYS = 40 * CALLERS;
const MINUTE_MS = 60_000;
/** How long the first writes of new callers' counters take, in milliseconds. Each write goes to a separate file. */
const SETTLE_MS = 5000;
const BODY = { tool: 'encode_base64', parameters: { text: 'hello world' } };

export const SETTINGS = {
  BASE_URL: 'http://localhost',
  MEDIA_URL: 'http://127.0.0.1:1',
  MEDIA_SECRET: 'x'.repeat(32),
};

/** Returns a wrk script in which the calls rotate through the callers. */
const callersScript = (round: number) => `
local count = 0
request = function()
  count = count + 1
  local caller = count % ${CALLERS}
  wrk.headers["CF-Connecting-IP"] = string.format("10.${round}.%d.%d", math.floor(caller / 250), caller % 250)
  return wrk.format()
end
`;

/** Returns a wrk script in which the calls rotate through the keys. */
const keysScript = (keys: readonly string[]) => `
local count = 0
local keys = {${keys.map((key) => `"${key}"`).join(',')}}
request = function()
  count = count + 1
  wrk.headers["Authorization"] = "Bearer " .. keys[count % ${keys.length} + 1]
  return wrk.format()
end
`;

const callerAddress = (round: number, caller: number) =>
  `10.${round}.${Math.floor(caller / 250)}.${caller % 250}`;

export async function rateRows(): Promise<Row[]> {
  const folder = memoryFolder('tools-rate-');
  const free = await startWorker({ ...SETTINGS, RATE_LIMITS: 'off' }, join(folder, 'free'));
  const limited = await startWorker(SETTINGS, join(folder, 'limited'));
  const bare = await startTestWorker(BARE_WORKER, join(folder, 'bundle'));
  const keys = await makeKeys(join(folder, 'limited'));
  let round = 0;
  let called = CALLS_OF_ALL;
  let calledWithKeys = 0;
  const contestants = {
    free: () => wrk(new URL(PATH, free.url), BODY, { folder, ...LOAD }),
    anonymous: async () => {
      if (called >= CALLS_OF_ALL) {
        round += 1;
        called = 0;
        await meet(limited.url, anonymousHeaders(round));
      }
      const load = { folder, ...LOAD, script: callersScript(round) };
      const measured = await wrk(new URL(PATH, limited.url), BODY, load);
      called += measured.rate * load.seconds;
      return measured;
    },
    keyed: async () => {
      if (calledWithKeys >= CALLS_OF_KEYS) {
        calledWithKeys = 0;
        await pause(MINUTE_MS);
        await meet(limited.url, keyedHeaders(keys));
      }
      const load = { folder, ...LOAD, script: keysScript(keys) };
      const measured = await wrk(new URL(PATH, limited.url), BODY, load);
      calledWithKeys += measured.rate * load.seconds;
      return measured;
    },
    bare: () => wrk(new URL(PATH, bare.url), BODY, { folder, ...LOAD }),
  };
  const names = Object.keys(contestants) as (keyof typeof contestants)[];
  const runs: Record<keyof typeof contestants, Measured[]> = {
    free: [],
    anonymous: [],
    keyed: [],
    bare: [],
  };
  await meet(limited.url, keyedHeaders(keys));
  for (const name of names) await contestants[name]();
  for (let pass = 0; pass < ROUNDS; pass++) {
    // Every other round runs in reverse order, so that no measurement always follows the same one.
    for (const name of pass % 2 === 0 ? names : names.toReversed()) {
      runs[name].push(await contestants[name]());
    }
  }
  await Promise.all([free.stop(), limited.stop(), bare.stop()]);
  rmSync(folder, { recursive: true });
  const rate = (name: keyof typeof runs) => median(runs[name].map(({ rate }) => rate));
  const p99 = (name: keyof typeof runs) => median(runs[name].map(({ p99 }) => p99));
  const withLimits = (['anonymous', 'keyed'] as const).flatMap((name) => [
    atLeast(
      `encode_base64, all limits on, ${CALLERS} ${name} / bare Hono route`,
      rate(name),
      rate('bare'),
      0.3,
      '/s',
    ),
    atMost(`p99 of it, ${name} / p99 of the bare Hono route`, p99(name), p99('bare'), 3, 'ms'),
  ]);
  return [
    atLeast('encode_base64 over REST / bare Hono route', rate('free'), rate('bare'), 0.8, '/s'),
    ...withLimits,
  ];
}

/** Creates as many accounts as there are callers, and returns an API key for each. */
async function makeKeys(stateDir: string): Promise<string[]> {
  const made = await Promise.all(
    Array.from({ length: CALLERS }, (_, account) =>
      makeOperatorKey({ account: `Bench ${account}` }, Date.now()),
    ),
  );
  const database = openDatabase(stateDir);
  database.exec(`BEGIN IMMEDIATE;${made.map(({ sql }) => sql).join(';')};COMMIT`);
  database.close();
  return made.map(({ key }) => key);
}

const anonymousHeaders = (round: number) => (caller: number) => ({
  'CF-Connecting-IP': callerAddress(round, caller),
});

const keyedHeaders = (keys: readonly string[]) => (caller: number) => ({
  Authorization: `Bearer ${keys[caller]}`,
});

/** Makes one call for each caller, which creates its counters. */
async function meet(
  url: URL,
  headersOf: (caller: number) => Record<string, string>,
): Promise<void> {
  for (let first = 0; first < CALLERS; first += LOAD.connections) {
    await Promise.all(
      Array.from({ length: Math.min(LOAD.connections, CALLERS - first) }, async (_, index) => {
        const headers = { 'Content-Type': 'application/json', ...headersOf(first + index) };
        const answer = await fetch(new URL(PATH, url), {
          method: 'POST',
          headers,
          body: JSON.stringify(BODY),
        });
        if (!answer.ok) throw new Error(`caller ${first + index} got ${answer.status}`);
        await answer.text();
      }),
    );
  }
  await pause(SETTLE_MS);
}
