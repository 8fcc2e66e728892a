/** Makes `fetch` repeat calls that a busy service refuses, in system tests. */
import { setTimeout as sleep } from 'node:timers/promises';
import { REPEATS } from './patience.ts';

/** The original `fetch`, for tests that expect a refusal. */
export const fetchOnce = globalThis.fetch;

export const patientFetch: typeof fetch = async (input, init) => {
  const isRepeatable = !(init?.body instanceof ReadableStream);
  for (let repeats = 0; ; repeats += 1) {
    const response = await fetchOnce(input instanceof Request ? input.clone() : input, init);
    const isLast = !isRepeatable || repeats === REPEATS.most;
    if (isLast || !(await isRefused(response))) return response;
    const seconds = Number(response.headers.get('Retry-After') ?? REPEATS.seconds);
    await sleep(Math.min(seconds, REPEATS.seconds) * 1000);
  }
};

/** Matches the messages of a busy service, but not messages about a limit that the caller has reached. */
export const BUSY = /(?:busy|in use|are running)\. Try again/;

/** Whether the response is a 503 with Retry-After, or an MCP result that reports a busy service. */
async function isRefused(response: Response): Promise<boolean> {
  if (response.status === 503) return response.headers.has('Retry-After');
  const isMcp = /\/mcp(?:\/|$)/.test(new URL(response.url).pathname);
  if (!isMcp || !response.headers.get('Content-Type')?.includes('json')) return false;
  const text = await response.clone().text();
  return text.includes('"isError":true') && BUSY.test(text);
}
