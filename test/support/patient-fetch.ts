/** Makes `fetch` repeat calls that the busy service refuses, in system tests. */
import { setTimeout as sleep } from 'node:timers/promises';
import { REPEATS } from './patience.ts';

/** The platform's `fetch`, for tests that expect a refusal. */
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

/** Matches errors of a busy part of the service, but not of a limit that the caller has reached. */
const BUSY = /(?:busy|in use|are running)\. Try again/;

/** Whether this is a 503 with Retry-After, or an MCP result that says the same. */
async function isRefused(response: Response): Promise<boolean> {
  if (response.status === 503) return response.headers.has('Retry-After');
  const isMcp = /\/mcp(?:\/|$)/.test(new URL(response.url).pathname);
  if (!isMcp || !response.headers.get('Content-Type')?.includes('json')) return false;
  const text = await response.clone().text();
  return text.includes('"isError":true') && BUSY.test(text);
}
