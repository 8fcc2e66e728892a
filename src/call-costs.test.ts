/**
 * Tests how many units Cloudflare bills for calls of each kind. The test fails if a change makes a call more or less
 * expensive.
 */
import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ASSUMED, CALLS, type CallName, HOURLY_WRITE } from '../test/cost/calls.ts';
import {
  Meter,
  MeteredObjects,
  meteredBucket,
  meteredDatabase,
  meterTimers,
} from '../test/cost/metered-env.ts';
import { applyMigrations } from '../test/support/apply-migrations.ts';
import { makeKey, QUOTAS, storedFormOf } from './access/api-keys.ts';
import { DOUBLES } from './adapters/call-sinks.ts';
import { D1Links } from './adapters/d1-links.ts';
import { handle } from './app.ts';
import { indexPassages } from './content/passage-index.ts';
import { MEDIA_HEADERS } from './core/media-headers.ts';
import type { Capture } from './core/ports.ts';
import { type Services, servicesOf } from './services.ts';

const HOME = 'http://localhost:8787';
/**
 * The time between an unmeasured first call and the measured calls, in milliseconds. Some in-memory caches, such as the
 * list of blocks, do not expire within it.
 */
const APART_MS = 10_000;
/** A time between two calls that exceeds the one-minute window of the rate limits, in milliseconds. */
const FAR_APART_MS = 120_000;
const PNG = Uint8Array.fromBase64(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
);

/** The documentation of `encode_base64`, which the tool's page shows. */
const documents = [
  {
    path: '/docs/tools/encode_base64',
    section: 'Tool docs',
    title: 't',
    description: 't',
    tags: [],
    markdown: 't',
    publishedAt: '2026-01-01',
    updatedAt: '2026-01-01',
  },
];
const meter = new Meter();
const objects = new MeteredObjects(meter);
const bindings = {
  ...env,
  RATE_LIMITS: 'on',
  LOG_SUCCESSES: '0',
  ACCOUNTS: meteredDatabase(env.ACCOUNTS, meter),
  LINKS: meteredDatabase(env.LINKS, meter),
  DB: meteredDatabase(env.DB, meter),
  FILES: meteredBucket(env.FILES, meter),
  LIMITS: objects.of(env.LIMITS),
  JOBS: objects.of(env.JOBS),
  ANSWERS: objects.of(env.ANSWERS),
  // Only a sample of the calls is written, so each call costs a fraction of a data point.
  CALLS: {
    writeDataPoint: ({ doubles }: { doubles: number[] }) =>
      meter.count('dataPoints', 1 / (1 + doubles[DOUBLES.indexOf('omitted')]!)),
  },
  STATIC: {
    fetch: async (url: string) =>
      Response.json(
        url.endsWith('/search.json') ? indexPassages([]) : { digest: 'd', documents, renamed: {} },
      ),
  },
  MEDIA: { getByName: () => ({ fetch: compress }) },
  AI: { run: answerModel },
} as unknown as Cloudflare.Env;

/** Returns a fake media worker that compresses an image. */
async function compress(): Promise<Response> {
  const { ms, bytes: size } = ASSUMED.container;
  vi.setSystemTime(Date.now() + ms);
  meter.count('objectRequests');
  meter.count('objectMs', ms);
  meter.count('containerMs', ms);
  meter.count('containerBytes', size);
  const meta = { warnings: [], size, format: 'webp', width: 1, height: 1, frames: 1 };
  return new Response(new Uint8Array(size), {
    headers: {
      'Content-Type': 'image/webp',
      [MEDIA_HEADERS.load]: '0/2',
      [MEDIA_HEADERS.meta]: btoa(JSON.stringify(meta)),
    },
  });
}

/** Responds as a model would, with a realistic number of input and output tokens. */
async function answerModel(model: string): Promise<unknown> {
  if (model.includes('bge')) {
    meter.count('embedTokens', 20);
    return { shape: [1, 2], data: [[1, 0]] };
  }
  const kind = model.includes('8b') ? 'simple' : 'text';
  const { in: read, out: written } = ASSUMED.tokens;
  meter.count(`${kind}TokensIn`, read);
  meter.count(`${kind}TokensOut`, written);
  return { response: 'Ahoy.', usage: { prompt_tokens: read, completion_tokens: written } };
}

let services: Services;
let restoreTimers: () => void;
let key: string;
let file: string;
let tag: string;

beforeAll(async () => {
  await applyMigrations(env);
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.spyOn(Math, 'random').mockReturnValue(0);
  restoreTimers = meterTimers(meter);
  services = servicesOf(bindings);
  services.ports.browser = {
    isOn: true,
    fallbackFor: () => undefined,
    capture: async (): Promise<Capture> => {
      const { ms } = ASSUMED.browser;
      vi.setSystemTime(Date.now() + ms);
      meter.count('browserMs', ms);
      // Counts the requests and the time of the browser pool's Durable Object.
      meter.count('objectRequests', 2);
      meter.count('objectMs', ms);
      return { content: PNG };
    },
  } as unknown as Services['ports']['browser'];
  await env.ACCOUNTS.prepare(
    "INSERT INTO accounts (id, name, created_at) VALUES ('a', 'A', 0)",
  ).run();
  key = makeKey();
  await services.keys.create(
    {
      id: 'k',
      accountId: 'a',
      kind: 'persistent',
      name: 'n',
      expiresAt: null,
      ...(await storedFormOf(key)),
      ...QUOTAS.persistent,
    },
    Date.now(),
    { working: 5, inADay: 5 },
  );
  await services.links.create('linked', 'https://example.com/', { address: '' });
  const caller = { address: '' };
  const named = { filename: 'a.png', contentType: 'image/png', lifeSeconds: 86_400, caller };
  const stored = await services.storage.store(PNG, named);
  file = new URL(stored.url).pathname;
  tag = (await services.storage.head(stored.id))!.httpEtag;
});

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  restoreTimers();
});

beforeEach(async () => {
  await services.blocks.reload();
  services.links.forget();
  // Links are cached only if they are read after the last change, so the clock advances.
  vi.setSystemTime(Date.now() + 1);
});

const execute = (tool: string, parameters: unknown, headers = {}): RequestInit => {
  const body = JSON.stringify({ tool, parameters });
  return {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': String(body.length),
      ...headers,
    },
    body,
  };
};
const encode = (headers = {}) =>
  ['/api/v1/tools/execute', execute('encode_base64', { text: 'abc' }, headers)] as const;
const withKey = () => ({ Authorization: `Bearer ${key}` });

function image(): readonly [string, RequestInit] {
  const form = new FormData();
  form.set('tool', 'compress_image');
  form.set('file', new File([PNG], 'a.png', { type: 'image/png' }));
  return ['/api/v1/tools/execute', { method: 'POST', body: form }];
}

const json = (path: string, sent: unknown) => {
  const body = JSON.stringify(sent);
  const headers = { 'Content-Type': 'application/json', 'Content-Length': String(body.length) };
  return [path, { method: 'POST', headers, body }] as const;
};

const encodeOverMcp = () =>
  json('/api/mcp', {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'encode_base64', arguments: { text: 'abc' } },
  });

/** Builds the request of each call. Requests that must not be served from a cache differ for each `round`. */
const REQUESTS: Record<CallName, (round: number) => readonly [string, RequestInit?]> = {
  'encode_base64, first call of an address': () => encode(),
  'encode_base64, anonymous': () => encode(),
  'encode_base64, anonymous, ten within a second': () => encode(),
  'encode_base64, keyed': () => encode(withKey()),
  'encode_base64, keyed, ten within a second': () => encode(withKey()),
  'encode_base64, MCP tools/call': encodeOverMcp,
  'encode_base64, MCP, ten calls two minutes apart': encodeOverMcp,
  compress_image: image,
  'screenshot_url, cached': () => [
    '/api/v1/tools/execute',
    execute('screenshot_url', { url: 'https://example.com/' }),
  ],
  'screenshot_url, uncached': (round) => [
    '/api/v1/tools/execute',
    execute('screenshot_url', { url: `https://example.com/${round}` }),
  ],
  search: () => json('/api/v1/search', { query: 'merge pdf files' }),
  'generate_text, lorem': () => [
    '/api/v1/tools/execute',
    execute('generate_text', { type: 'lorem' }),
  ],
  'generate_text, a hint': (round) => [
    '/api/v1/tools/execute',
    execute('generate_text', { type: `pirate talk ${round}` }),
  ],
  'a redirect': () => ['/linked', { redirect: 'manual' }],
  'a redirect, first of an isolate': () => {
    const openCache = () => caches.open('links');
    services.links = new D1Links(bindings.LINKS, HOME, undefined, openCache);
    return ['/linked', { redirect: 'manual' }];
  },
  'a redirect, ten within ten seconds': () => ['/linked', { redirect: 'manual' }],
  'a file download': () => [file],
  'a file download, a range': () => [file, { headers: { Range: 'bytes=0-9' } }],
  'a file download, unchanged': () => [file, { headers: { 'If-None-Match': tag } }],
  'a page of the site': () => ['/tools/encode_base64'],
};

/** The expected status of each call whose status is not 200. */
const STATUSES: Partial<Record<CallName, number>> = {
  'a redirect': 302,
  'a redirect, first of an isolate': 302,
  'a redirect, ten within ten seconds': 302,
  'a file download, a range': 206,
  'a file download, unchanged': 304,
};

async function send([path, init]: readonly [string, RequestInit?], address: string) {
  const request = new Request(HOME + path, init);
  request.headers.set('CF-Connecting-IP', address);
  meter.count('requests');
  const response = await handle(request, bindings, createExecutionContext());
  await response.arrayBuffer();
  return response.status;
}

/** Writes collected data and runs alarms, so that their costs are counted with the calls. */
async function pass(milliseconds: number): Promise<void> {
  await services.flush();
  await services.links.flush();
  vi.setSystemTime(Date.now() + milliseconds);
  await objects.runAlarms(Date.now());
}

describe('the billed units of', () => {
  it.each(Object.keys(CALLS) as CallName[])('%s', async (name) => {
    const { calls, units } = CALLS[name];
    const address = `203.0.113.${Object.keys(CALLS).indexOf(name)}`;
    let round = 0;
    if (!name.includes('first call')) {
      await send(REQUESTS[name](round++), address);
      await pass(APART_MS);
    }
    meter.take();
    for (let call = 0; call < calls; call += 1) {
      const status = await send(REQUESTS[name](round++), address);
      expect(status).toBe(STATUSES[name] ?? 200);
      if (name.includes('two minutes apart')) await pass(FAR_APART_MS);
    }
    await pass(1000);
    expect(meter.take()).toEqual(units);
  });

  it('an hour of calls with one key in the database', async () => {
    const pending = await env.LIMITS.getByName('key:k').pendingUsage();
    expect(pending).toMatchObject([{ keyId: 'k', accountId: 'a', tool: 'encode_base64' }]);
    meter.take();
    await services.usage.add(pending);
    await services.keys.touchLastUsed(['k'], Date.now());
    await services.keys.get('k');
    expect(meter.take()).toEqual(HOURLY_WRITE);
  });
});
