/** Requests per second of encode_base64 against a bare Hono route, both in workerd without anything in front. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startWorker } from '../../scripts/worker.ts';
import { startTestWorker } from '../support/test-worker.ts';
import { atLeast, atMost, median, type Row } from './row.ts';
import { type Measured, wrk } from './wrk.ts';

const LOAD = { connections: 16, seconds: 3 };
const ROUNDS = 7;
const PATH = '/api/v1/tools/execute';
export const BARE_WORKER = 'test/bench/bare-worker/wrangler.toml';
const CALLERS = 1000;
/** What they may call together in an hour, less than the 35 of each, since a round may run over. */
const CALLS_OF_ALL = 22 * CALLERS;
/** Until the counters of new callers are written for the first time. */
const SETTLE_MS = 2500;
const BODY = { tool: 'encode_base64', parameters: { text: 'hello world' } };

export const SETTINGS = {
  BASE_URL: 'http://localhost',
  MEDIA_URL: 'http://127.0.0.1:1',
  MEDIA_SECRET: 'x'.repeat(32),
};

/** Every call from the next of these callers. */
const callersScript = (round: number) => `
local count = 0
request = function()
  count = count + 1
  local caller = count % ${CALLERS}
  wrk.headers["CF-Connecting-IP"] = string.format("10.${round}.%d.%d", math.floor(caller / 250), caller % 250)
  return wrk.format()
end
`;

const callerAddress = (round: number, caller: number) =>
  `10.${round}.${Math.floor(caller / 250)}.${caller % 250}`;

export async function rateRows(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tools-rate-'));
  const free = await startWorker({ ...SETTINGS, RATE_LIMITS: 'off' }, join(folder, 'free'));
  const limited = await startWorker(SETTINGS, join(folder, 'limited'));
  const bare = await startTestWorker(BARE_WORKER, join(folder, 'bundle'));
  let round = 0;
  let called = CALLS_OF_ALL;
  const contestants = {
    free: () => wrk(new URL(PATH, free.url), BODY, { folder, ...LOAD }),
    limited: async () => {
      if (called >= CALLS_OF_ALL) {
        round += 1;
        called = 0;
        await meet(limited.url, round);
        await pause(SETTLE_MS);
      }
      const load = { folder, ...LOAD, seconds: 2, script: callersScript(round) };
      const measured = await wrk(new URL(PATH, limited.url), BODY, load);
      called += measured.rate * load.seconds;
      return measured;
    },
    bare: () => wrk(new URL(PATH, bare.url), BODY, { folder, ...LOAD }),
  };
  const names = Object.keys(contestants) as (keyof typeof contestants)[];
  const runs = { free: [] as Measured[], limited: [] as Measured[], bare: [] as Measured[] };
  for (const name of names) await contestants[name]();
  for (let turn = 0; turn < ROUNDS; turn++) {
    // The order changes, so that none always follows the same.
    for (const name of turn % 2 === 0 ? names : names.toReversed()) {
      runs[name].push(await contestants[name]());
    }
  }
  await Promise.all([free.stop(), limited.stop(), bare.stop()]);
  rmSync(folder, { recursive: true });
  const rate = (name: keyof typeof runs) => median(runs[name].map(({ rate }) => rate));
  const p99 = (name: keyof typeof runs) => median(runs[name].map(({ p99 }) => p99));
  return [
    atLeast('encode_base64 over REST / bare Hono route', rate('free'), rate('bare'), 0.8, '/s'),
    atLeast(
      `encode_base64, all limits on, ${CALLERS} callers / bare Hono route`,
      rate('limited'),
      rate('bare'),
      0.4,
      '/s',
    ),
    atMost('p99 of it / p99 of the bare Hono route', p99('limited'), p99('bare'), 3, 'ms'),
  ];
}

/** Lets every caller of a round make a first call, which is what creates its counters. */
async function meet(url: URL, round: number): Promise<void> {
  for (let first = 0; first < CALLERS; first += LOAD.connections) {
    await Promise.all(
      Array.from({ length: Math.min(LOAD.connections, CALLERS - first) }, async (_, index) => {
        const address = callerAddress(round, first + index);
        const headers = { 'Content-Type': 'application/json', 'CF-Connecting-IP': address };
        const answer = await fetch(new URL(PATH, url), {
          method: 'POST',
          headers,
          body: JSON.stringify(BODY),
        });
        if (!answer.ok) throw new Error(`${address} got ${answer.status}`);
        await answer.text();
      }),
    );
  }
}
