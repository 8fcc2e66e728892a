/** Creates jobs over REST for tests. */
import { setTimeout as pause } from 'node:timers/promises';
import { PATIENCE_MS } from './patience.ts';

export interface Job {
  id: string;
  status: string;
  progress: number;
  // biome-ignore lint/suspicious/noExplicitAny: results of every shape
  result?: any;
  error?: { error: string; code: string; status: number };
  warnings?: string[];
}

/**
 * Waits until the job's status matches, and returns the job. By default, waits until the job has finished. Throws if a
 * response is an error or the wait exceeds `PATIENCE_MS`.
 */
export async function pollJob(
  location: string,
  at: string,
  until = /succeeded|failed|cancelled/,
  headers: Record<string, string> = {},
): Promise<Job> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await pause(100)) {
    const response = await fetch(at + location, { headers });
    const job = (await response.json()) as Job;
    if (!response.ok) throw new Error(JSON.stringify(job));
    if (until.test(job.status)) return job;
  }
  throw new Error(`${location} did not reach the status ${until}`);
}

/** Starts a call as a job. Returns the job's path, or an empty string if no job was created. */
export async function startJob(at: string, call: FormData | object): Promise<string> {
  const isForm = call instanceof FormData;
  const response = await fetch(`${at}/api/v1/tools/execute`, {
    method: 'POST',
    headers: { Prefer: 'respond-async', ...(!isForm && { 'Content-Type': 'application/json' }) },
    body: isForm ? call : JSON.stringify(call),
  });
  return response.headers.get('Location') ?? '';
}

/** Starts a job that merges a file with a copy of itself. */
export function startMerge(at: string, file: File): Promise<string> {
  const form = new FormData();
  form.append('tool', 'merge_pdf');
  form.append('files', file);
  form.append('files', file);
  return startJob(at, form);
}
