/**
 * Measures the overhead that the service adds to a model's response, and the cost of a cached response. Also checks
 * that 100 hanging calls leave no open requests, and that memory grows by at most `MAX_RISE_MB`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { accountKey } from '../support/account-key.ts';
import { startService, stopService } from '../support/global-setup.ts';
import { startModelServer } from '../support/model-server.ts';
import { residentOf, workerdOf } from '../support/workerd-process.ts';
import { atLeast, atMost, median, type Row } from './row.ts';
import { type Measured, wrk } from './wrk.ts';

const AT_ONCE = 20;
const HANGING = 100;
/** The number of callers that make the hanging calls, so that none exceeds its rate limit. */
const CALLERS = 10;
/**
 * The time in milliseconds after which all calls have reached the model: 32 start at once, then four per second, because
 * all slots are held by waiting calls (ADR 92). They can then be abandoned.
 */
const UNDER_WAY_MS = 20_000;
/** `UNDER_WAY_MS`, the time limit of a minute for a call's models, and some time to respond, in milliseconds. */
const LIMIT_MS = UNDER_WAY_MS + 70_000;
/** The maximum allowed increase in memory, in MB. */
const MAX_RISE_MB = 16;
const ROUNDS_TO_RETURN = 4;

export async function modelRows(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tools-models-'));
  const models = await startModelServer();
  const start = (name: string, TRUSTED_PROXY: 'on' | 'off') =>
    startService({
      STATE_DIR: join(folder, name),
      OPENAI_BASE_URL: models.url,
      MODEL_TEXT: 'writer',
      TRUSTED_PROXY,
    });
  const measured = await start('measured', 'off');
  const hanging = await start('hanging', 'on');
  try {
    const key = await accountKey(join(folder, 'measured'));
    // The service `measured` can be measured while these calls hang, because waiting calls use no CPU.
    const left = await hangCalls(hanging.baseUrl, workerdOf(hanging.child.pid!), folder);
    const added = await addedTime(measured.baseUrl, models.url, folder, key);
    const cached = await cachedRate(measured.baseUrl, folder);
    return [...added, ...cached, ...(await left(models.url))];
  } finally {
    await stopService(measured.child);
    await stopService(hanging.child);
    await models.stop();
    rmSync(folder, { recursive: true });
  }
}

interface Posted {
  url: URL;
  body: unknown;
}

const call = (baseUrl: string, tool: string, parameters: unknown): Posted => ({
  url: new URL('/api/v1/tools/execute', baseUrl),
  body: { tool, parameters },
});

/** Measures the two calls in alternating order. The first round is a warm-up. */
async function compare(
  ours: Posted,
  theirs: Posted,
  folder: string,
  { connections, rounds, seconds }: { connections: number; rounds: number; seconds: number },
  key?: string,
) {
  const measured: { ours: Measured[]; theirs: Measured[] } = { ours: [], theirs: [] };
  const post = ({ url, body }: Posted) => wrk(url, body, { folder, connections, seconds, key });
  for (let round = 0; round <= rounds; round += 1) {
    measured.ours[round] = await post(ours);
    measured.theirs[round] = await post(theirs);
  }
  const middle = (all: Measured[], figure: keyof Measured) =>
    median(all.slice(1).map((one) => one[figure]));
  return (figure: keyof Measured) =>
    [middle(measured.ours, figure), middle(measured.theirs, figure)] as const;
}

async function addedTime(
  baseUrl: string,
  modelUrl: string,
  folder: string,
  key: string,
): Promise<Row[]> {
  // The model is slow, so that the benchmark measures the service's overhead and not the CPU.
  const messages = ['system', 'user'].map((role) => ({ role, content: 'behave:slow' }));
  const direct = {
    url: new URL(`${modelUrl}/chat/completions`),
    body: { model: 'writer', messages, stream: true, stream_options: { include_usage: true } },
  };
  const through = call(baseUrl, 'humanize_text', { text: 'behave:slow' });
  const load = { connections: AT_ONCE, rounds: 3, seconds: 3 };
  const [ours, theirs] = (await compare(through, direct, folder, load, key))('p50');
  const added = ours - theirs;
  const row = atMost('a model’s answer, p50 at 20 at once', ours, theirs, 1, 'ms');
  return [{ ...row, ratio: `+${added.toFixed(1)} ms`, goal: '< 5 ms', reached: added < 5 }];
}

async function cachedRate(baseUrl: string, folder: string): Promise<Row[]> {
  const cached = call(baseUrl, 'generate_sql', { description: 'all users' });
  const plain = call(baseUrl, 'encode_base64', { text: 'hello world' });
  const load = { connections: 16, rounds: 5, seconds: 1 };
  const [ours, theirs] = (await compare(cached, plain, folder, load))('rate');
  return [atLeast('a cached answer / encode_base64', ours, theirs, 0.7, '/s')];
}

/**
 * Sends calls to a hanging model. Returns a function that waits for these calls to end, and reports unfinished calls
 * and retained memory.
 */
async function hangCalls(baseUrl: string, pid: number, folder: string) {
  const { url, body } = call(baseUrl, 'encode_base64', { text: 'hello' });
  const ordinary = () => wrk(url, body, { folder, connections: 16, seconds: 2 });
  // The first run is not measured, because the process retains the memory that it allocates for that run.
  await hang(baseUrl, HANGING, UNDER_WAY_MS);
  await ordinary();
  const before = residentOf(pid);
  const answers = hang(baseUrl, HANGING, LIMIT_MS);
  await pause(UNDER_WAY_MS);
  return async (modelUrl: string): Promise<Row[]> => {
    const statuses = await answers;
    const still = Number(await (await fetch(new URL('/open', modelUrl))).text());
    let rise = Number.POSITIVE_INFINITY;
    // Only further calls trigger garbage collection.
    for (let round = 0; round < ROUNDS_TO_RETURN && rise > MAX_RISE_MB; round += 1) {
      await ordinary();
      await pause(1000);
      rise = residentOf(pid) - before;
    }
    const timely = statuses.filter((status) => status === 504).length;
    const row = atMost(`${HANGING} calls to a model that hangs`, rise, 1, MAX_RISE_MB, 'MB');
    return [
      {
        ...row,
        ours: `${still} left`,
        theirs: `${timely} × 504`,
        ratio: `${rise.toFixed(0)} MB`,
        goal: `≤ ${MAX_RISE_MB} MB`,
        reached: still === 0 && rise <= MAX_RISE_MB && timely === HANGING,
      },
    ];
  };
}

/**
 * Returns the status of each call to a model that never responds. Calls are aborted after `patience` milliseconds. The
 * status of an aborted or failed call is 0.
 */
function hang(baseUrl: string, number: number, patience: number): Promise<number[]> {
  const one = async (index: number) => {
    const body = { tool: 'draft_email', parameters: { prompt: `behave:hangs ${index}` } };
    try {
      const { status } = await fetch(`${baseUrl}/api/v1/tools/execute`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'X-Forwarded-For': `203.0.113.${index % CALLERS}`,
        },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(patience),
      });
      return status;
    } catch {
      return 0;
    }
  };
  return Promise.all(Array.from({ length: number }, (_, index) => one(index)));
}
