/**
 * Limits the number of files whose code runs during a small call, because someone who reads that code has to follow all
 * of them. V8 reports the executed functions.
 */
import { Session } from 'node:inspector/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, vi } from 'vitest';

vi.mock('cloudflare:workers', () => ({
  waitUntil: () => {},
  DurableObject: class {},
  WorkerEntrypoint: class {},
}));

// The site is mocked. Its scripts need the bundler, and a tool call does not use them.
vi.mock('../src/site/routes.ts', () => ({ siteRoutes: () => {} }));
vi.mock('../src/site/error-page.tsx', () => ({ errorPage: (response: Response) => response }));

// workerd supports this method, but Node 24 does not.
Object.defineProperty(Uint8Array.prototype, 'toBase64', {
  value(this: Uint8Array) {
    return Buffer.from(this).toString('base64');
  },
});

const APP = '../src/app.ts';
const session = new Session();
afterAll(() => session.disconnect());

/** The bindings for a small call: counters with all units available, the block list, and the analytics. */
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
  ACCOUNTS: {
    prepare: () => ({ bind: () => ({}) }),
    batch: async () => [{ results: [] }, { results: [{ createdAt: Date.now() }] }],
  },
  LINKS: {},
  DB: {},
  CALLS: { writeDataPoint: () => {} },
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

/** Returns the project's functions that run in one call, each with its file. */
async function functionsRun(): Promise<{ file: string; name: string }[]> {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  // The variable hides the import from the type checker, which lacks the Worker's types here.
  const { handle } = await import(APP);
  // The first call is not counted, because it creates the services of the isolate.
  expect((await handle(call(), ENV, CONTEXT)).status).toBe(200);
  await session.post('Profiler.takePreciseCoverage');
  const response = await handle(call(), ENV, CONTEXT);
  const { result } = await session.post('Profiler.takePreciseCoverage');
  expect(await response.json()).toEqual({ encoded: 'SGVsbG8=' });
  return result
    .filter(({ url }) => url.includes('/src/') && !url.includes('node_modules'))
    .flatMap(({ url, functions }) =>
      functions
        // Vitest creates unnamed getters for exports.
        .filter(({ functionName, ranges }) => functionName !== '' && ranges[0]!.count > 0)
        .map(({ functionName }) => ({
          file: relative('.', url.startsWith('file:') ? fileURLToPath(url) : url),
          name: functionName,
        })),
    );
}

describe('a call of encode_base64 over REST', () => {
  it('executes at most 20 source files', async () => {
    const run = await functionsRun();
    const files = [...new Set(run.map(({ file }) => file))].sort();
    expect(files.length).toBeGreaterThan(5);
    expect(files.length, files.join('\n')).toBeLessThanOrEqual(20);
  });
});
