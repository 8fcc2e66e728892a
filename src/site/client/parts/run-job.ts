/** Runs a long call as an API job and follows its events. Deletes the job when the visitor leaves the page. */

import type { JobState } from '../../tool/progress-text.ts';

/**
 * Sends a call to `action` as a job. Returns the response that the call would return without a job. `onProgress`
 * receives the job's state.
 */
export async function runJob(
  action: string,
  body: FormData,
  signal: AbortSignal,
  onProgress: (state: JobState) => void,
): Promise<Response> {
  const accepted = await fetch(`${action}/run`, {
    method: 'POST',
    body,
    signal,
    headers: { Prefer: 'respond-async' },
  });
  if (accepted.status !== 202) return accepted;
  return withJob(accepted, signal, onProgress, async (id) => {
    const response = await fetch(`${action}/jobs/${id}`, { signal });
    const bytes = await response.blob();
    const headers = new Headers(response.headers);
    // The quota comes from the response that accepted the call. Later responses report the limit on job requests.
    for (const name of ['RateLimit', 'RateLimit-Policy']) {
      const value = accepted.headers.get(name);
      if (value !== null) headers.set(name, value);
    }
    return new Response(bytes, { status: response.status, headers });
  });
}

/**
 * Waits for the job of the response `accepted`, passes its result to `use`, and returns the value of `use`. If
 * `isStored` is false, the job and the files that it stored are then deleted. A job that did not finish is always
 * deleted, which cancels it.
 */
export async function withJob<T>(
  accepted: Response,
  signal: AbortSignal,
  onProgress: (state: JobState) => void,
  use: (id: string) => Promise<T>,
  isStored = false,
): Promise<T> {
  const { id } = (await accepted.json()) as { id: string };
  const path = `/api/v1/jobs/${id}`;
  let isFinished = false;
  const remove = () => {
    if (isFinished && isStored) return;
    void fetch(path, { method: 'DELETE', keepalive: true }).catch(() => {});
  };
  addEventListener('pagehide', remove);
  try {
    await finished(path, signal, onProgress);
    isFinished = true;
    return await use(id);
  } finally {
    removeEventListener('pagehide', remove);
    remove();
  }
}

function finished(
  path: string,
  signal: AbortSignal,
  onProgress: (state: JobState) => void,
): Promise<unknown> {
  const events = new EventSource(path);
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
    events.addEventListener('progress', ({ data }) => onProgress(JSON.parse(data)));
    events.addEventListener('end', resolve);
    // An EventSource reconnects until it is closed.
    events.addEventListener('error', () => {
      if (events.readyState === EventSource.CLOSED)
        reject(new Error('The connection to the job was lost. Try again.'));
    });
  }).finally(() => events.close());
}
