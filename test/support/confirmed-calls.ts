/** Kills a service under load again and again, and compares what it confirmed with what the next start has. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { serviceEnvironment, startService, stopService } from './global-setup.ts';
import { pollJob, startJob } from './jobs.ts';

/** Callers at the same time. */
const CALLERS = 6;
/** The service is killed at a random moment within this time of its start. */
const LONGEST_START_MS = 4500;
/** Under load, it is killed after at most this many confirmed calls, and within this time of the last. */
const MOST_CALLS = 60;
const LONGEST_PAUSE_MS = 60;

interface Confirmed {
  /** Path and bytes of each stored file. */
  files: Map<string, Buffer>;
  /** Path and target of each short link. */
  links: Map<string, string>;
  /** Path of each job, with what its result must contain. */
  jobs: Map<string, string>;
}

export interface KillReport {
  kills: number;
  confirmed: number;
  lost: string[];
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** Kills a service `kills` times under load. `duringStarts` of these happen while it starts on `stateDir`. */
export async function killAgain(
  stateDir: string,
  kills: number,
  duringStarts: number,
): Promise<KillReport> {
  const confirmed: Confirmed = { files: new Map(), links: new Map(), jobs: new Map() };
  const env = { STATE_DIR: stateDir, PORT: '0', RATE_LIMITS: 'off' };
  for (let start = 0; start < duringStarts; start++) {
    const child = spawn(process.execPath, ['scripts/serve.ts'], {
      stdio: 'ignore',
      env: serviceEnvironment(env),
    });
    await sleep(randomInt(LONGEST_START_MS));
    await kill(child);
  }
  const lost: string[] = [];
  for (let round = duringStarts; round < kills; round++) {
    const { child, baseUrl } = await startService(env);
    lost.push(...(await lostOf(baseUrl, confirmed)));
    const over = new AbortController();
    const load = Promise.all(Array.from({ length: CALLERS }, () => call(baseUrl, confirmed, over)));
    const target = countOf(confirmed) + randomInt(1, MOST_CALLS);
    while (countOf(confirmed) < target) await sleep(5);
    await sleep(randomInt(LONGEST_PAUSE_MS));
    over.abort();
    await kill(child);
    await load;
  }
  const { child, baseUrl } = await startService(env);
  lost.push(...(await lostOf(baseUrl, confirmed)));
  await stopService(child);
  return { kills, confirmed: countOf(confirmed), lost };
}

const countOf = ({ files, links, jobs }: Confirmed) => files.size + links.size + jobs.size;

/** Calls until `over`; notes what was confirmed. Calls fail when the service is killed. */
async function call(baseUrl: string, confirmed: Confirmed, over: AbortController): Promise<void> {
  while (!over.signal.aborted) {
    try {
      await [store, shorten, work][randomInt(3)]!(baseUrl, confirmed);
    } catch {
      // The service was killed, and this call was not confirmed.
    }
  }
}

async function store(baseUrl: string, { files }: Confirmed): Promise<void> {
  const bytes = Buffer.from(randomBytes(randomInt(1, 200_000)).toString('base64'));
  const form = new FormData();
  form.append('tool', 'upload_file');
  form.append('file', new File([bytes], 'note.txt', { type: 'text/plain' }));
  const answer = await post(baseUrl, form);
  files.set(new URL(answer.url!).pathname, bytes);
}

async function shorten(baseUrl: string, { links }: Confirmed): Promise<void> {
  const url = `https://example.com/${randomBytes(8).toString('hex')}`;
  const answer = await post(baseUrl, JSON.stringify({ tool: 'shorten_url', parameters: { url } }));
  links.set(new URL(answer.shortUrl!).pathname, url);
}

async function work(baseUrl: string, { jobs }: Confirmed): Promise<void> {
  const text = randomBytes(8).toString('hex');
  const path = await startJob(baseUrl, { tool: 'encode_base64', parameters: { text } });
  jobs.set(path, Buffer.from(text).toString('base64'));
}

async function post(baseUrl: string, body: FormData | string): Promise<Record<string, string>> {
  const response = await fetch(`${baseUrl}/api/v1/tools/execute`, {
    method: 'POST',
    body,
    ...(typeof body === 'string' && { headers: { 'Content-Type': 'application/json' } }),
  });
  if (!response.ok) throw new Error(`${response.status}`);
  return response.json() as Promise<Record<string, string>>;
}

/** What was confirmed and is missing or different. */
async function lostOf(baseUrl: string, { files, links, jobs }: Confirmed): Promise<string[]> {
  const lost: string[] = [];
  for (const [path, bytes] of files) {
    const response = await fetch(baseUrl + path);
    const stored = Buffer.from(await response.arrayBuffer());
    if (!response.ok || !stored.equals(bytes)) lost.push(`${path} ${response.status}`);
  }
  for (const [path, url] of links) {
    const response = await fetch(baseUrl + path, { redirect: 'manual' });
    await response.body?.cancel();
    if (response.headers.get('location') !== url) lost.push(`${path} ${response.status}`);
  }
  for (const [path, result] of jobs) {
    const job = await pollJob(path, baseUrl).catch((error: Error) => ({ error }));
    if (!JSON.stringify(job).includes(result)) lost.push(`${path} ${JSON.stringify(job)}`);
  }
  return lost;
}
