import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { applyMigrations } from '../../test/support/apply-migrations.ts';
import { forgetCachedLink } from '../../test/support/cached-links.ts';
import { D1Links } from '../adapters/d1-links.ts';
import { handle } from '../app.ts';
import type { Reason } from '../core/moderation.ts';
import { servicesOf } from '../services.ts';

const ORIGIN = 'http://localhost:8787';
const CALLER = { address: '192.0.2.1' };
const WITH_REPUTATION = {
  ...env,
  LINK_REPUTATION_URL: 'https://reputation.example/v1/uris:search?key=k&uri={url}',
};
const links = new D1Links(env.LINKS, ORIGIN);

const visit = (code: string, bindings: Cloudflare.Env = env, init: RequestInit = {}) =>
  handle(new Request(`${ORIGIN}/${code}`, init), bindings, createExecutionContext());

const act = { at: 0, who: 'shell:ann', act: 'a', subject: 's', note: 'n' };
const mark = (removed: Reason | null, warned: Reason | null) =>
  servicesOf(env).moderation.markLink('abc', { removed, warned }, act);

/** Answers the requests that the service sends to other servers. */
const stubFetch = (answer: (url: string) => Response | Promise<Response>) =>
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => answer(String(input)));

beforeEach(async () => {
  await applyMigrations(env);
  servicesOf(env).links.forget();
  await forgetCachedLink(ORIGIN, 'abc');
});
afterEach(() => vi.restoreAllMocks());

describe('a short link that points back to this service', () => {
  it.each([`${ORIGIN}/loop-1`, 'http://[::1]:8787/%6Coop-1'])(
    'is not followed, even if it was stored: %s',
    async (target) => {
      await links.create('loop-1', target, CALLER);
      await links.create('way-out', 'https://example.com/', CALLER);
      const refused = await visit('loop-1');
      expect(refused.status).toBe(404);
      expect(refused.headers.get('Location')).toBeNull();
      expect(await refused.json()).toMatchObject({
        code: 'not_found',
        error: expect.stringContaining('points to another short link on this service'),
      });
      expect((await visit('way-out')).status).toBe(302);
    },
  );
});

describe('a short link', () => {
  beforeEach(() => links.create('abc', 'https://www.bad.example/x?a=<b>', CALLER));

  it('redirects and is not indexed', async () => {
    const response = await visit('abc');
    expect(response.status).toBe(302);
    expect(response.headers.get('X-Robots-Tag')).toBe('noindex');
  });

  it('returns 410 with the kind of reason after an operator removes it', async () => {
    await mark('phishing', null);
    for (const method of ['GET', 'HEAD']) {
      const response = await visit('abc', env, { method });
      expect(response.status).toBe(410);
      expect(response.headers.get('Location')).toBeNull();
    }
    expect(await (await visit('abc')).json()).toMatchObject({
      code: 'not_found',
      reason: 'phishing',
      error: 'The operator removed this link because of phishing. To object, see /contact.',
    });
  });

  it('shows its target instead of redirecting if an operator added a warning', async () => {
    await mark(null, 'malware');
    const response = await visit('abc');
    expect(response.status).toBe(200);
    expect(response.headers.get('Location')).toBeNull();
    expect(response.headers.get('X-Robots-Tag')).toBe('noindex');
    const text = await response.text();
    expect(text).toContain('www.bad.example');
    expect(text).toContain('malware');
    expect(text).not.toContain('<b>');
  });

  it('returns 410 if an operator blocked its host', async () => {
    const { moderation, blocks } = servicesOf(env);
    const block = { kind: 'host', value: 'bad.example', note: 'n', createdAt: 0 } as const;
    await moderation.block({ ...block, expiresAt: null }, act);
    await blocks.reload();
    const response = await visit('abc');
    expect(response.status).toBe(410);
    expect(await response.json()).toMatchObject({ reason: 'host' });
    await moderation.unblock(block, act);
    await blocks.reload();
    expect((await visit('abc')).status).toBe(302);
  });
});

describe('the reputation service', () => {
  const target = 'https://listed.example/x y&z';
  beforeEach(() => links.create('abc', target, CALLER));

  it('is queried when a link is followed, not when it is created, and at most every five minutes', async () => {
    const stub = stubFetch(() => Response.json({ threat: { threatTypes: ['MALWARE'] } }));
    const made = await handle(
      new Request(`${ORIGIN}/api/v1/tools/execute`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ tool: 'shorten_url', parameters: { url: target } }),
      }),
      WITH_REPUTATION,
      createExecutionContext(),
    );
    expect(made.status).toBe(200);
    expect(stub).not.toHaveBeenCalled();
    for (let visits = 0; visits < 2; visits += 1) {
      const response = await visit('abc', WITH_REPUTATION);
      expect(response.status).toBe(200);
      expect(await response.text()).toContain('reports as harmful');
    }
    expect(stub).toHaveBeenCalledTimes(1);
    expect(stub.mock.calls[0]![0]).toBe(
      `https://reputation.example/v1/uris:search?key=k&uri=${encodeURIComponent(target)}`,
    );
  });

  it.each<[string, () => Response | Promise<Response>]>([
    ['does not know the target', () => Response.json({})],
    ['fails', () => new Response('', { status: 500 })],
    ['returns an invalid response', () => new Response('<html>')],
    ['is unreachable', () => Promise.reject(new Error('refused'))],
  ])('that %s does not block a link', async (_, answer) => {
    // A new object for the bindings creates new services, which have no cached responses.
    const bindings = { ...WITH_REPUTATION };
    stubFetch(answer);
    expect((await visit('abc', bindings)).status).toBe(302);
  });
});
