/**
 * Compares a chain of 12 tools at the edge with one call. Also runs 1,000 jobs, which 16 concurrent callers create, and
 * kills the media worker twice while they run.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { descendantsOf, parentOf } from '../support/descendants.ts';
import { atMost, median, type Row } from './row.ts';
import { withService } from './service.ts';

const ROUNDS = 300;
const JOBS = 1000;
const AT_ONCE = 16;
/** The maximum time from the first queued job to the last finished one, in milliseconds. */
const TIME_LIMIT_MS = 220_000;
/** A PNG image of one red pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

export const chainRows = (): Promise<Row[]> =>
  withService(async (baseUrl, _, service) => [
    await chainRow(baseUrl),
    await jobsRow(baseUrl, service),
  ]);

async function chainRow(baseUrl: string): Promise<Row> {
  const one = { tool: 'encode_base64', parameters: { text: 'hello world' } };
  const toolChain = [one, ...Array(11).fill({ tool: 'encode_base64' })];
  const chain: number[] = [];
  const execution: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    execution.push(await timed(`${baseUrl}/api/v1/tools/execute`, one));
    chain.push(await timed(`${baseUrl}/api/v1/tools/chain`, { toolChain }));
  }
  return atMost(
    'chain of 12 edge tools / one execution',
    median(chain),
    median(execution),
    2.5,
    'ms',
  );
}

async function timed(url: string, value: unknown): Promise<number> {
  const started = performance.now();
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(value),
  });
  const text = await response.text();
  if (!response.ok || text.includes('"completed":false')) throw new Error(text);
  return performance.now() - started;
}

async function jobsRow(baseUrl: string, service: number): Promise<Row> {
  const locations: string[] = [];
  const started = performance.now();
  const end = Date.now() + TIME_LIMIT_MS;
  await workers(JOBS, async () => {
    locations.push(await queue(baseUrl));
    // The worker is busy at this point, because jobs start as soon as they are queued.
    if (locations.length === JOBS / 2 || locations.length === JOBS) killMediaWorker(service);
  });
  const counts = { succeeded: 0, failed: 0, open: 0 };
  const results = new Set<string>();
  await workers(JOBS, async (index) => {
    const job = await ended(baseUrl + locations[index], end);
    counts[
      job.status === 'succeeded' ? 'succeeded' : job.status === 'failed' ? 'failed' : 'open'
    ]++;
    if (job.result?.url) results.add(job.result.url);
  });
  const seconds = (performance.now() - started) / 1000;
  const { succeeded, failed, open } = counts;
  return {
    name: '1,000 jobs at once, media worker killed twice',
    ours: failed + open === 0 ? `${succeeded} done` : `${failed} failed, ${open} open`,
    theirs: `${seconds.toFixed(0)} s`,
    ratio: '',
    goal: 'all',
    reached: succeeded === JOBS && results.size === JOBS,
  };
}

/** Runs `work` for `count` indexes, with limited concurrency. */
async function workers(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function queue(baseUrl: string): Promise<string> {
  const form = new FormData();
  form.append('tool', 'compress_image');
  form.append('file', new Blob([Buffer.from(PNG, 'base64')], { type: 'image/png' }), 'one.png');
  const response = await fetch(`${baseUrl}/api/v1/tools/execute`, {
    method: 'POST',
    body: form,
    headers: { Prefer: 'respond-async' },
  });
  if (response.status !== 202) throw new Error(await response.text());
  await response.text();
  return response.headers.get('Location') ?? '';
}

interface Ended {
  status: string;
  result?: { url?: string };
}

/** Waits until the job has finished. If the time runs out, returns its last state. */
async function ended(url: string, end: number): Promise<Ended> {
  for (;;) {
    const job = (await (await fetch(url)).json()) as Ended;
    if (/succeeded|failed|cancelled/.test(job.status) || Date.now() > end) return job;
    await pause(500);
  }
}

/** The media worker is the service's only child that is not workerd. */
function killMediaWorker(service: number): void {
  const media = [...descendantsOf(service)].find(
    ([id, command]) => command !== 'workerd' && parentOf(id) === service,
  );
  if (!media) throw new Error('there is no media worker to kill');
  process.kill(media[0], 'SIGKILL');
}
