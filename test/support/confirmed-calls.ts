/** Makes calls that write to a service. Later checks that a service with the same state has all confirmed data. */
import { randomBytes, randomInt } from 'node:crypto';
import { accountKey } from './account-key.ts';
import { pollJob, startJob, startMerge } from './jobs.ts';
import type { Confirmed as ReleaseState } from './release-state.ts';
import { makeSlowPdf } from './slow-pdf.ts';

/** The number of concurrent callers. */
const CALLERS = 6;

export interface Confirmed {
  /** The path and the bytes of each stored file. */
  files: Map<string, Buffer>;
  /** The path and the target of each short link. */
  links: Map<string, string>;
  /** The path of each job, with the text that its result must contain. */
  jobs: Map<string, string>;
  keys: Set<string>;
}

export const copyOf = ({ files, links, jobs, keys }: Confirmed): Confirmed => ({
  files: new Map(files),
  links: new Map(links),
  jobs: new Map(jobs),
  keys: new Set(keys),
});

export const countOf = ({ files, links, jobs, keys }: Confirmed): number =>
  files.size + links.size + jobs.size + keys.size;

export const nothingConfirmed = (): Confirmed => ({
  files: new Map(),
  links: new Map(),
  jobs: new Map(),
  keys: new Set(),
});

export const confirmedByRelease = (release: ReleaseState): Confirmed => ({
  files: new Map([[release.file[0], Buffer.from(release.file[1])]]),
  links: new Map([release.link]),
  jobs: new Map([release.finished, [release.interrupted, 'application/pdf']]),
  keys: new Set([release.key]),
});

export interface Target {
  baseUrl: string;
  stateDir: string;
}

/**
 * Makes calls until `over` is aborted, and records the confirmed ones. Calls may fail, because the service may be
 * killed.
 */
export async function write(target: Target, confirmed: Confirmed, over: AbortSignal) {
  const kinds = [store, shorten, encode, merge, createKey];
  const caller = async () => {
    while (!over.aborted) {
      try {
        await kinds[randomInt(kinds.length)]!(target, confirmed);
      } catch {
        // A failed call is not recorded as confirmed.
      }
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}

async function store({ baseUrl }: Target, { files }: Confirmed): Promise<void> {
  const bytes = Buffer.from(randomBytes(randomInt(1, 200_000)).toString('base64'));
  const form = new FormData();
  form.append('tool', 'upload_file');
  form.append('file', new File([bytes], 'note.txt', { type: 'text/plain' }));
  const answer = await post(baseUrl, form);
  files.set(new URL(answer.url!).pathname, bytes);
}

async function shorten({ baseUrl }: Target, { links }: Confirmed): Promise<void> {
  const url = `https://example.com/${randomBytes(8).toString('hex')}`;
  const answer = await post(baseUrl, JSON.stringify({ tool: 'shorten_url', parameters: { url } }));
  links.set(new URL(answer.shortUrl!).pathname, url);
}

async function encode({ baseUrl }: Target, { jobs }: Confirmed): Promise<void> {
  const text = randomBytes(8).toString('hex');
  const path = await startJob(baseUrl, { tool: 'encode_base64', parameters: { text } });
  if (path) jobs.set(path, Buffer.from(text).toString('base64'));
}

/** Creates a job whose input and output are files. */
async function merge({ baseUrl }: Target, { jobs }: Confirmed): Promise<void> {
  const path = await startMerge(baseUrl, new File([makeSlowPdf(50)], 'a.pdf'));
  if (path) jobs.set(path, 'application/pdf');
}

async function createKey({ stateDir }: Target, { keys }: Confirmed): Promise<void> {
  keys.add(await accountKey(stateDir));
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

/** Returns a description of all confirmed data that is missing or different. Waits until all jobs have finished. */
export async function lostOf(
  baseUrl: string,
  { files, links, jobs, keys }: Confirmed,
): Promise<string[]> {
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
  for (const key of keys) {
    const headers = { Authorization: `Bearer ${key}` };
    const response = await fetch(`${baseUrl}/api/v1/usage`, { headers });
    await response.body?.cancel();
    if (!response.ok) lost.push(`key ${response.status}`);
  }
  for (const [path, result] of jobs) {
    const job = await pollJob(path, baseUrl).catch(({ message }: Error) => ({
      message,
      result: {},
    }));
    const text = JSON.stringify(job);
    const url = job.result?.url as string | undefined;
    const hasFile = !url || (await fetch(baseUrl + new URL(url).pathname)).ok;
    if (!text.includes(result) || !hasFile) lost.push(`${path} ${text} ${hasFile}`);
  }
  return lost;
}
