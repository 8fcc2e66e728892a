/**
 * Makes one part of the platform fail at a time. Each surface must still serve what it can, and must otherwise return
 * 503.
 */
import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { applyMigrations } from '../test/support/apply-migrations.ts';
import { forgetCachedLink } from '../test/support/cached-links.ts';
import { beginSession } from './access/accounts/sessions.ts';
import { makeKey, QUOTAS, storedFormOf } from './access/api-keys.ts';
import { handle } from './app.ts';
import { indexPassages } from './content/passage-index.ts';
import type { ContentDocument } from './core/content.ts';
import { MEDIA_HEADERS, writeLoad } from './core/media-headers.ts';
import { servicesOf } from './services.ts';
import { TOOLS } from './tools/registry.ts';

const ORIGIN = 'http://localhost:8787';
const ACCOUNT = '33333333-3333-4333-8333-333333333333';
const MCP = { Accept: 'application/json, text/event-stream' };

type Part = 'ACCOUNTS' | 'LINKS' | 'DB' | 'FILES' | 'LIMITS' | 'JOBS' | 'ANSWERS' | 'MEDIA';

/** The errors that the platform throws while a part is down. */
const FAILURES: Record<Part, Error[]> = {
  ACCOUNTS: [
    new Error('D1_ERROR: internal error; reference = 1'),
    new TypeError('Network connection lost.'),
  ],
  LINKS: [new Error('D1_ERROR: internal error; reference = 2')],
  DB: [new Error('D1_ERROR: internal error; reference = 3')],
  FILES: [new Error('get: We encountered an internal error. Please try again. (10001)')],
  LIMITS: [new Error('Durable Object reset because its code was updated.')],
  JOBS: [
    new Error('Durable Object storage operation exceeded timeout which caused object to be reset.'),
  ],
  ANSWERS: [new Error('Network connection lost.')],
  MEDIA: [new Error('The container is not running.')],
};

/** A fake Container that returns an image for every operation. */
const CONTAINER = {
  fetch: async () =>
    new Response('RIFF', {
      headers: {
        'Content-Type': 'image/webp',
        [MEDIA_HEADERS.load]: writeLoad(0, 2),
        [MEDIA_HEADERS.meta]: btoa(
          JSON.stringify({ warnings: [], size: 4, format: 'webp', width: 1, height: 1, frames: 1 }),
        ),
      },
    }),
};

let failure: { part: Part; error: Error } | undefined;
let bindings: Cloudflare.Env;
let file: string;
let image: string;
let job: string;
let cookie: string;

/** A document for each tool. */
const documents = TOOLS.map(({ name, title }): ContentDocument => {
  const published = { publishedAt: '2026-01-01', updatedAt: '2026-01-01' };
  const about = { title, description: title, tags: [], markdown: title };
  return { path: `/docs/tools/${name}`, section: 'Tool docs', ...about, ...published };
});
/** The files that are deployed with the Worker. */
const STATIC_FILES: Record<string, unknown> = {
  '/documents.json': { digest: 'd', documents, renamed: {} },
  '/search.json': indexPassages([]),
};

/** The methods of bindings that call the platform. They fail while it is down. */
const REACHING = [
  ...['first', 'run', 'all', 'raw', 'batch', 'head', 'get', 'put', 'delete', 'list'],
  ...['createMultipartUpload', 'take', 'release', 'charge', 'remainingQuotas', 'forgetKey'],
  ...['create', 'read', 'watch', 'remove', 'claim', 'fetch'],
];

/** Methods that do not call the platform themselves but return an object with methods that do. */
const OPENING = ['prepare', 'bind', 'withSession', 'getByName'];

/** Wraps a binding so that its calls fail while the part is down. */
function failing<Target extends object>(part: Part, target: Target): Target {
  return new Proxy(target, {
    get(_, name) {
      const member = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) => {
        if (failure?.part === part && REACHING.includes(String(name)))
          return Promise.reject(failure.error);
        // The method is called on the original object, because stubs of Durable Objects require this.
        const result = (target as Record<string | symbol, (...given: unknown[]) => unknown>)[name]!(
          ...given.map(unwrapped),
        );
        if (!OPENING.includes(String(name))) return result;
        const wrapped = failing(part, result as object);
        originals.set(wrapped, result);
        return wrapped;
      };
    },
  });
}

const originals = new WeakMap<object, unknown>();
/** Replaces the wrapped statements of a batch with the originals, because D1 accepts only its own statements. */
const unwrapped = (given: unknown): unknown =>
  Array.isArray(given) ? given.map((item) => originals.get(item) ?? item) : given;

beforeEach(async () => {
  failure = undefined;
  await applyMigrations(env);
  bindings = {
    ...env,
    RATE_LIMITS: 'on',
    // The database also counts anonymous calls if Analytics Engine is not bound.
    CALLS: undefined as never,
    AI: undefined as never,
    STATIC: {
      fetch: async (url: string) => Response.json(STATIC_FILES[new URL(url).pathname]),
    } as never,
    ACCOUNTS: failing('ACCOUNTS', env.ACCOUNTS),
    LINKS: failing('LINKS', env.LINKS),
    DB: failing('DB', env.DB),
    FILES: failing('FILES', env.FILES),
    LIMITS: failing('LIMITS', env.LIMITS),
    JOBS: failing('JOBS', env.JOBS),
    ANSWERS: failing('ANSWERS', env.ANSWERS),
    MEDIA: failing('MEDIA', { getByName: () => CONTAINER }) as never,
  };
  const { links, storage, sessions } = servicesOf(bindings);
  const caller = { address: '192.0.2.1' };
  await forgetCachedLink(ORIGIN, 'abc');
  await links.create('abc', 'https://a.example/', caller);
  const options = { filename: 'a.txt', contentType: 'text/plain', lifeSeconds: 3600, caller };
  ({ url: file } = await storage.store(new TextEncoder().encode('bytes'), options));
  const png = { ...options, filename: 'a.png', contentType: 'image/png' };
  ({ url: image } = await storage.store(PNG, png));
  const accepted = await send(
    EXECUTE,
    json(tool('encode_url', { url: 'a' }), { Prefer: 'respond-async' }),
  );
  job = accepted.headers.get('Location')!;
  await accepted.body?.cancel();
  await env.ACCOUNTS.prepare("INSERT INTO accounts (id, name, created_at) VALUES (?, 'Name', 0)")
    .bind(ACCOUNT)
    .run();
  const session = await beginSession(new Request(ORIGIN), ACCOUNT, sessions, Date.now());
  cookie = session.split(';', 1)[0]!;
});
afterEach(() => vi.restoreAllMocks());

/** Returns a key that no isolate has cached. */
async function newKey(): Promise<string> {
  const secret = makeKey();
  const key = { id: secret.slice(-8), accountId: ACCOUNT, kind: 'persistent', name: 'k' } as const;
  await servicesOf({ ...env }).keys.create(
    { ...key, expiresAt: null, ...(await storedFormOf(secret)), ...QUOTAS.persistent },
    Date.now(),
    { working: 1000, inADay: 1000 },
  );
  return secret;
}

let addresses = 0;
function send(path: string, init: RequestInit, key?: string): Promise<Response> {
  const headers = new Headers(init.headers);
  addresses += 1;
  headers.set('CF-Connecting-IP', `203.0.113.${addresses % 250}`);
  if (key) headers.set('Authorization', `Bearer ${key}`);
  const request = new Request(new URL(path, ORIGIN), { ...init, headers, redirect: 'manual' });
  return handle(request, bindings, createExecutionContext());
}

const json = (value: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(value),
  headers: { 'Content-Type': 'application/json', ...headers },
});
const tool = (name: string, parameters: object) => ({ tool: name, parameters });
const ENCODE = tool('encode_base64', { text: 'a' });
const SHORTEN = tool('shorten_url', { url: 'https://a.example/' });
const rpc = (name: string, given: object) =>
  json(
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } },
    { ...MCP, 'MCP-Protocol-Version': '2025-11-25' },
  );
const upload = (): RequestInit => {
  const body = new FormData();
  body.set('tool', 'upload_file');
  body.set('file', new File(['text'], 'a.txt', { type: 'text/plain' }));
  return { method: 'POST', body };
};
const PNG = Uint8Array.fromBase64(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
);
const EXECUTE = '/api/v1/tools/execute';
const CHAIN = '/api/v1/tools/chain';

interface Use {
  path: string | (() => string);
  init?: () => RequestInit;
  withKey?: true;
  /** The parts that the request needs. The request returns 503 while one of them is down. */
  needs: Part[];
}

const USES: Record<string, Use> = {
  'a tool': { path: EXECUTE, init: () => json(ENCODE), needs: [] },
  'a tool, with a key': {
    path: EXECUTE,
    init: () => json(ENCODE),
    withKey: true,
    needs: ['ACCOUNTS'],
  },
  'a tool, once': {
    path: EXECUTE,
    init: () => json(ENCODE, { 'Idempotency-Key': crypto.randomUUID() }),
    needs: ['FILES', 'LIMITS', 'ANSWERS'],
  },
  'a tool, as a job': {
    path: EXECUTE,
    init: () => json(ENCODE, { Prefer: 'respond-async' }),
    needs: ['LIMITS', 'JOBS'],
  },
  'a job': {
    path: () => job,
    needs: ['JOBS'],
  },
  'a tool that writes a row': {
    path: EXECUTE,
    init: () => json(SHORTEN),
    needs: ['LINKS', 'LIMITS'],
  },
  'a tool that stores a file': { path: EXECUTE, init: upload, needs: ['FILES', 'LIMITS'] },
  'a tool over MCP': {
    path: '/api/mcp',
    init: () => rpc('encode_base64', { text: 'a' }),
    needs: [],
  },
  'a tool over MCP, with a key': {
    path: '/api/mcp',
    init: () => rpc('encode_base64', { text: 'a' }),
    withKey: true,
    needs: ['ACCOUNTS'],
  },
  'a tool over MCP that writes a row': {
    path: '/api/mcp',
    init: () => rpc('shorten_url', { url: 'https://a.example/' }),
    needs: ['LINKS', 'LIMITS'],
  },
  'the list of tools over MCP': {
    path: '/api/mcp',
    init: () => json({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, MCP),
    needs: [],
  },
  'a chain': { path: CHAIN, init: () => json({ toolChain: [ENCODE] }), needs: [] },
  'a chain that writes a row': {
    path: CHAIN,
    init: () => json({ toolChain: [ENCODE, SHORTEN] }),
    needs: ['LINKS', 'LIMITS'],
  },
  'a tool of the media worker': {
    path: EXECUTE,
    init: () => json(tool('compress_image', { fileUrl: image })),
    needs: ['FILES', 'LIMITS', 'MEDIA'],
  },
  'a tool of the media worker over MCP': {
    path: '/api/mcp',
    init: () => rpc('compress_image', { fileUrl: image }),
    needs: ['FILES', 'LIMITS', 'MEDIA'],
  },
  'an upload address': {
    path: '/api/v1/uploads',
    init: () => json({ filename: 'a.txt', contentType: 'text/plain' }),
    needs: ['DB'],
  },
  'a search': { path: '/api/v1/search', init: () => json({ query: 'base64' }), needs: [] },
  usage: { path: '/api/v1/usage', withKey: true, needs: ['ACCOUNTS'] },
  'the home page': { path: '/', needs: [] },
  "a tool's page": { path: '/tools/encode_base64', needs: [] },
  'the developers page': { path: '/developers', needs: [] },
  'the developers page, signed in': {
    path: '/developers',
    init: () => ({ headers: { Cookie: cookie } }),
    needs: ['ACCOUNTS'],
  },
  'the status page': { path: '/status', needs: [] },
  health: { path: '/health', needs: [] },
  'a short link': { path: '/abc', needs: ['LINKS'] },
  'a short link in a browser': {
    path: '/abc',
    init: () => ({ headers: { Accept: 'text/html' } }),
    needs: ['LINKS'],
  },
  'a stored file': { path: () => file, needs: ['FILES'] },
  'a report': {
    path: '/abuse',
    init: () => json({ url: `${ORIGIN}/abc`, reason: 'spam' }),
    needs: ['ACCOUNTS', 'LINKS', 'LIMITS'],
  },
  'a report by form': {
    path: '/abuse',
    init: () => ({
      method: 'POST',
      body: new URLSearchParams({ url: `${ORIGIN}/abc`, reason: 'spam' }),
      headers: { Origin: ORIGIN },
    }),
    needs: ['ACCOUNTS', 'LINKS', 'LIMITS'],
  },
};

const decoder = new TextDecoder();

/** Sends every request. For each request, returns 'answered', 'unavailable', or a description of any other response. */
async function outcomes(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [name, { path, init, withKey }] of Object.entries(USES)) {
    const key = withKey && (await newKey());
    const response = await send(typeof path === 'string' ? path : path(), init?.() ?? {}, key);
    found[name] = outcomeOf(response, decoder.decode(await response.arrayBuffer()));
  }
  return found;
}

function outcomeOf({ status, headers }: Response, text: string): string {
  const body = /json/.test(headers.get('Content-Type') ?? '') ? JSON.parse(text) : {};
  const step = body.results?.find((one: { error?: unknown }) => one.error)?.error;
  const error = status >= 400 || body.error ? (body.error?.data ?? body) : step;
  if (body.result?.isError) {
    const said = body.result.content[0].text;
    return /Try again in 5 seconds\.$/.test(said) ? 'unavailable' : said;
  }
  if (!error && status < 400) return 'answered';
  if (status === 503 && text.startsWith('<!doctype html>') && headers.get('Retry-After') === '5')
    return 'unavailable';
  const isWhole =
    error?.code === 'internal' &&
    (step
      ? step.status === 503 && step.retryAfter === 5
      : status === 503 && headers.get('Retry-After') === '5' && error.requestId);
  return isWhole ? 'unavailable' : `${status} ${text.slice(0, 300)}`;
}

const expected = (down?: Part) =>
  Object.fromEntries(
    Object.entries(USES).map(([name, { needs }]) => [
      name,
      down && needs.includes(down) ? 'unavailable' : 'answered',
    ]),
  );

const CASES = (Object.keys(FAILURES) as Part[]).flatMap((part) =>
  FAILURES[part].map((error) => ({ part, error })),
);

describe.each(CASES)('while $part fails with "$error.message"', (fault) => {
  it('returns 503 only from what depends on it, and recovers', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    failure = fault;
    expect(await outcomes()).toEqual(expected(fault.part));
    expect(logged.mock.calls.join('\n')).toContain(fault.error.message.split(/[;.]/, 1)[0]);
    failure = undefined;
    // After a second, the service checks again whether the failed media worker is ready.
    await expect
      .poll(async () => {
        const call = await send('/api/mcp', rpc('compress_image', { fileUrl: image }));
        return call.text();
      })
      .not.toContain('Try again');
    expect(await outcomes()).toEqual(expected());
  });
});

it('logs why a page shows an error, and records the error', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  failure = { part: 'LIMITS', error: FAILURES.LIMITS[0]! };
  const response = await send('/abuse', USES['a report by form']!.init!());
  expect(response.status).toBe(503);
  const requestId = response.headers.get('X-Request-Id');
  const lines = logged.mock.calls.map(([line]) => JSON.parse(line) as Record<string, unknown>);
  const ofRequest = lines.filter((line) => line.requestId === requestId);
  expect(ofRequest).toContainEqual(
    expect.objectContaining({ cause: expect.stringContaining('Durable Object reset') }),
  );
  expect(ofRequest).toContainEqual(expect.objectContaining({ event: 'call', code: 'internal' }));
});

it('shows the developers page without its example if that cannot be read, and logs the error', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  const response = await send('/developers', {});
  expect(response.status).toBe(200);
  expect(logged.mock.calls.join()).toContain('first-call-not-read');
});

describe('while the database fails', () => {
  it('remembers usage and writes it after recovery', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { flush } = servicesOf(bindings);
    failure = CASES[0];
    expect((await send(EXECUTE, json(ENCODE))).status).toBe(200);
    await flush();
    failure = undefined;
    await flush();
    const calls = env.ACCOUNTS.prepare(
      "SELECT calls FROM usage_by_day WHERE tool = 'encode_base64'",
    );
    expect(await calls.first('calls')).toBe(1);
  });

  it('does not treat an error in a statement as an outage', async () => {
    const { keys } = servicesOf(bindings);
    await env.ACCOUNTS.exec('DROP TABLE api_keys');
    await expect(keys.list(ACCOUNT)).rejects.toThrow('no such table');
  });
});
