/** A chain of 12 tools at the edge beside one execution, and 1,000 jobs at once with the media worker killed twice. */
import { setTimeout as pause } from 'node:timers/promises';
import { descendantsOf, parentOf } from '../support/descendants.ts';
import { atMost, median, type Row } from './row.ts';
import { withService } from './service.ts';

const ROUNDS = 300;
const JOBS = 1000;
const AT_ONCE = 16;
const TIME_LIMIT_MS = 10 * 60_000;
/** One grey pixel. */
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
  const places: string[] = [];
  const started = performance.now();
  await lanes(JOBS, async () => {
    places.push(await queue(baseUrl));
  });
  const killer = killTwice(service);
  let succeeded = 0;
  let failed = 0;
  const results = new Set<string>();
  await lanes(JOBS, async (index) => {
    const job = await ended(baseUrl + places[index]);
    if (job.status !== 'succeeded') failed += 1;
    else if (job.result?.url) {
      succeeded += 1;
      results.add(job.result.url);
    }
  });
  await killer;
  const seconds = (performance.now() - started) / 1000;
  return {
    name: '1,000 jobs at once, media worker killed twice',
    ours: failed === 0 ? `${succeeded} done` : `${failed} failed`,
    theirs: `${(JOBS / seconds).toFixed(0)} /s`,
    ratio: '',
    goal: 'all',
    reached: succeeded === JOBS && results.size === JOBS,
  };
}

/** Does `work` so many times, some of them at once. */
async function lanes(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
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

async function ended(url: string): Promise<Ended> {
  for (const end = Date.now() + TIME_LIMIT_MS; Date.now() < end; await pause(500)) {
    const job = (await (await fetch(url)).json()) as Ended;
    if (/succeeded|failed|cancelled/.test(job.status)) return job;
  }
  throw new Error(`${url} does not end`);
}

/** The media worker is the one child of the service that is not workerd. */
async function killTwice(service: number): Promise<void> {
  for (let kill = 0; kill < 2; kill++) {
    await pause(3000);
    const media = [...descendantsOf(service)].find(
      ([id, command]) => command !== 'workerd' && parentOf(id) === service,
    );
    if (!media) throw new Error('there is no media worker to kill');
    process.kill(media[0], 'SIGKILL');
  }
}
