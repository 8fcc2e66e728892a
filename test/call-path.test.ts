/** A small call runs code of few files: what a reader must follow to understand it. V8 counts the functions that run. */
import { Session } from 'node:inspector/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, vi } from 'vitest';

vi.mock('cloudflare:workers', () => ({
  waitUntil: () => {},
  DurableObject: class {},
  WorkerEntrypoint: class {},
}));

// The site's scripts are text to the Worker's bundler, and no part of this path.
vi.mock('../src/site/routes.ts', () => ({ siteRoutes: () => {} }));
vi.mock('../src/site/error-page.tsx', () => ({ errorPage: (response: Response) => response }));

// workerd has it; Node 24 does not.
Object.defineProperty(Uint8Array.prototype, 'toBase64', {
  value(this: Uint8Array) {
    return Buffer.from(this).toString('base64');
  },
});

const APP = '../src/app.ts';
const session = new Session();
afterAll(() => session.disconnect());

/** Bindings of which a small call uses the counters alone: each limit has all its units left. */
const ENV = {
  LIMITS: {
    getByName: () => ({
      take: async (quotaRequests: readonly { limit: number }[]) => ({
        allowed: true,
        at: Date.now(),
        remainingQuotas: quotaRequests.map(({ limit }) => ({
          remaining: limit - 1,
          resetAt: Date.now() + 1000,
          unitAt: Date.now(),
          refuses: false,
        })),
      }),
    }),
  },
  BASE_URL: 'https://tools.example',
  MEDIA_SECRET: 'for-tests-only-0123',
} as never;
const CONTEXT = { waitUntil: () => {}, passThroughOnException: () => {} } as never;

function call(): Request {
  const body = JSON.stringify({ tool: 'encode_base64', parameters: { text: 'Hello' } });
  return new Request('https://tools.example/api/v1/tools/execute', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': String(body.length),
      'CF-Connecting-IP': '203.0.113.7',
    },
    body,
  });
}

/** The functions of ours that one call runs, each with its file. */
async function functionsRun(): Promise<{ file: string; name: string }[]> {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  // By a variable: the Worker's types are none of this program's.
  const { handle } = await import(APP);
  // The first call builds the services of the isolate.
  expect((await handle(call(), ENV, CONTEXT)).status).toBe(200);
  await session.post('Profiler.takePreciseCoverage');
  const response = await handle(call(), ENV, CONTEXT);
  const { result } = await session.post('Profiler.takePreciseCoverage');
  expect(await response.json()).toEqual({ encoded: 'SGVsbG8=' });
  return result
    .filter(({ url }) => url.includes('/src/') && !url.includes('node_modules'))
    .flatMap(({ url, functions }) =>
      functions
        // Without a name are the getters that Vitest makes of exports; other such functions run with one that has a name.
        .filter(({ functionName, ranges }) => functionName !== '' && ranges[0]!.count > 0)
        .map(({ functionName }) => ({
          file: relative('.', url.startsWith('file:') ? fileURLToPath(url) : url),
          name: functionName,
        })),
    );
}

describe('a call of encode_base64 over REST', () => {
  it('runs code of at most 24 files', async () => {
    const run = await functionsRun();
    const files = [...new Set(run.map(({ file }) => file))].sort();
    expect(files.length).toBeGreaterThan(5);
    expect(files.length, files.join('\n')).toBeLessThanOrEqual(24);
  });
});
