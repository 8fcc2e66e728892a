/** What the service adds to a model's answer, what a kept answer costs, and what 500 hanging calls leave behind. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startService, stopService } from '../support/global-setup.ts';
import { startModelServer } from '../support/model-server.ts';
import { residentOf, workerdOf } from '../support/workerd-process.ts';
import { atLeast, atMost, median, type Row } from './row.ts';

const AT_ONCE = 20;
const CALLS = 200;
const ROUNDS = 5;
const HANGING = 500;
/** The limit of a call's models, and what it takes to answer 500 of them. */
const LIMIT_MS = 75_000;

export async function modelRows(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tools-models-'));
  const models = await startModelServer();
  const { child, baseUrl } = await startService({
    STATE_DIR: folder,
    OPENAI_BASE_URL: models.url,
    MODEL_TEXT: 'writer',
  });
  try {
    const added = await addedTime(baseUrl, models.url);
    const kept = await keptRate(baseUrl);
    const left = await leftBehind(baseUrl, models.url, workerdOf(child.pid!));
    return [...added, ...kept, ...left];
  } finally {
    await stopService(child);
    await models.stop();
    rmSync(folder, { recursive: true });
  }
}

const post = async (url: string, body: unknown): Promise<Response> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  return response;
};

const call = (baseUrl: string, tool: string, parameters: unknown) =>
  post(`${baseUrl}/api/v1/tools/execute`, { tool, parameters });

/** Milliseconds of each call, `AT_ONCE` of them at a time; throws where one is not 200. */
async function times(number: number, run: (index: number) => Promise<Response>): Promise<number[]> {
  const taken: number[] = [];
  let next = 0;
  const lane = async () => {
    while (next < number) {
      const index = next++;
      const started = performance.now();
      const { status } = await run(index);
      taken.push(performance.now() - started);
      if (status !== 200) throw new Error(`a call answered ${status}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return taken;
}

async function addedTime(baseUrl: string, modelUrl: string): Promise<Row[]> {
  // A model takes its time: against one that does not, the processor would be measured, not what is added.
  const messages = ['system', 'user'].map((role) => ({ role, content: 'behave:slow' }));
  const body = { model: 'writer', messages, stream: true, stream_options: { include_usage: true } };
  const direct = () => post(`${modelUrl}/chat/completions`, body);
  // Never the same text: nothing is kept.
  const through = (index: number) =>
    call(baseUrl, 'humanize_text', { text: `behave:slow ${index}` });
  await times(CALLS, direct);
  await times(CALLS, through);
  const [ours, theirs]: number[][] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    ours!.push(median(await times(CALLS, through)));
    theirs!.push(median(await times(CALLS, direct)));
  }
  const added = median(ours!) - median(theirs!);
  const row = atMost(
    'a model’s answer, p50 at 20 at once',
    median(ours!),
    median(theirs!),
    1,
    'ms',
  );
  return [{ ...row, ratio: `+${added.toFixed(1)} ms`, goal: '< 5 ms', reached: added < 5 }];
}

async function keptRate(baseUrl: string): Promise<Row[]> {
  const kept = () => call(baseUrl, 'generate_sql', { description: 'all users' });
  const plain = () => call(baseUrl, 'encode_base64', { text: 'hello world' });
  const rate = async (run: () => Promise<Response>) => {
    const started = performance.now();
    await times(CALLS * 10, run);
    return (CALLS * 10_000) / (performance.now() - started);
  };
  await rate(kept);
  await rate(plain);
  const [ours, theirs]: number[][] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    ours!.push(await rate(kept));
    theirs!.push(await rate(plain));
  }
  return [atLeast('a kept answer / encode_base64', median(ours!), median(theirs!), 0.7, '/s')];
}

async function leftBehind(baseUrl: string, modelUrl: string, pid: number): Promise<Row[]> {
  const open = async () => Number(await (await fetch(new URL('/open', modelUrl))).text());
  const ordinary = () => times(2000, () => call(baseUrl, 'encode_base64', { text: 'hello' }));
  // Once for the memory that such a load takes for good.
  await hang(baseUrl, HANGING, 5000);
  await ordinary();
  const before = residentOf(pid);
  const statuses = await hang(baseUrl, HANGING, LIMIT_MS);
  const still = await open();
  // What is garbage is collected in the course of other calls.
  await ordinary();
  await pause(2000);
  const rise = residentOf(pid) - before;
  const timely = statuses.filter((status) => status === 504).length;
  const row = atMost(`${HANGING} calls to a model that hangs`, rise, 1, 16, 'MB');
  return [
    {
      ...row,
      ours: `${still} left`,
      theirs: `${timely} × 504`,
      ratio: `${rise.toFixed(0)} MB`,
      goal: '≤ 16 MB',
      reached: still === 0 && rise <= 16 && timely === HANGING,
    },
  ];
}

/** The statuses of calls to a model that never answers; those that last longer than `patience` are left. */
function hang(baseUrl: string, number: number, patience: number): Promise<number[]> {
  const one = async (index: number) => {
    const body = { tool: 'draft_email', parameters: { prompt: `behave:hangs ${index}` } };
    try {
      const { status } = await fetch(`${baseUrl}/api/v1/tools/execute`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
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
