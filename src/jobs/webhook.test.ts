import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { applyMigrations } from '../../test/support/apply-migrations.ts';
import { EdgeEgress } from '../adapters/egress-edge.ts';
import type { Caller } from '../core/caller.ts';
import type { Webhook } from '../core/jobs.ts';
import type { EgressPort, EgressRequest, EgressResponse } from '../core/ports.ts';
import { servicesOf } from '../services.ts';
import { pauseBeforeNext, postWebhook, signatureOf } from './webhook.ts';

const { jobs, accounts } = servicesOf(env);
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const MINUTE = 60_000;
const utf8 = (text: string) => new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/**
 * Answers posts with these statuses, and later posts with 500. Null makes the connection fail. Returns the received
 * posts.
 */
function receive(...statuses: (number | null)[]): EgressRequest[] {
  const seen: EgressRequest[] = [];
  vi.spyOn(EdgeEgress.prototype, 'exchange').mockImplementation(async (request) => {
    seen.push(request);
    const status = statuses[seen.length - 1];
    if (status === null) throw new Error('no connection');
    return { status: status ?? 500, headers: new Headers(), body: null };
  });
  return seen;
}

const RESOLVER = 'https://dns.example/dns-query';
const NOW = Date.UTC(2026, 0, 1);
const AT = '2026-01-01T00:00:00.000Z';

const attempt = (egress: EgressPort, url = 'https://hook.example/') =>
  postWebhook({ url, secret: SECRET, attempts: [] }, 'job', utf8('{}'), egress, NOW);

const create = (url: string, caller: Caller = { address: '127.0.0.1' }): Promise<string> =>
  jobs.create({
    caller,
    owner: null,
    tool: 'encode_base64',
    call: JSON.stringify({
      kind: 'execute',
      tool: 'encode_base64',
      parameters: { text: 'hi' },
      files: [],
    }),
    inputs: [],
    warnings: [],
    webhook: { url, secret: SECRET, attempts: [] },
  });

/** The fields of a job with a webhook that these tests check. */
interface ReadJob {
  status: string;
  result?: unknown;
  webhook: Webhook;
}

const read = async (id: string): Promise<ReadJob> => new Response(await jobs.read(id, null)).json();

/** Waits until the job has been posted this many times, and returns the job. */
async function posted(id: string, times: number) {
  for (;;) {
    const job = await read(id);
    if (job.webhook.attempts.length >= times) return job;
    await scheduler.wait(10);
  }
}

describe('a job’s webhook', () => {
  it('receives the finished job, signed according to Standard Webhooks', async () => {
    const seen = receive(204);
    const id = await create('https://hook.example/jobs?a=1');
    const { webhook, ...job } = await posted(id, 1);
    expect(webhook).toEqual({
      url: 'https://hook.example/jobs?a=1',
      attempts: [{ at: expect.any(String), status: 204 }],
    });
    const [{ url, method, headers = {}, body }] = seen as [EgressRequest];
    expect([url.href, method]).toEqual(['https://hook.example/jobs?a=1', 'POST']);
    expect(JSON.parse(new TextDecoder().decode(body))).toEqual(job);
    expect(job).toMatchObject({ status: 'succeeded', result: { encoded: 'aGk=' } });
    expect(headers['Webhook-Id']).toBe(`msg_${id}`);
    const timestamp = Number(headers['Webhook-Timestamp']);
    expect(headers['Webhook-Signature']).toBe(
      await signatureOf(SECRET, `msg_${id}`, timestamp, body!),
    );
    // The next alarm after the delivery deletes the job.
    expect(await runDurableObjectAlarm(env.JOBS.getByName(id))).toBe(true);
    expect(await jobs.read(id, null)).toBeNull();
    expect(seen).toHaveLength(1);
  });

  it('is tried six times with the same ID, and the job stays readable', async () => {
    const seen = receive(500, null, 302);
    const id = await create('https://hook.example/');
    const job = env.JOBS.getByName(id);
    for (let times = 1; times < 6; times += 1) {
      await posted(id, times);
      expect(await runDurableObjectAlarm(job)).toBe(true);
    }
    const { webhook, status } = await posted(id, 6);
    expect(status).toBe('succeeded');
    expect(webhook.attempts.map(({ status: answer, error }) => answer ?? error)).toEqual([
      500,
      expect.any(String),
      302,
      500,
      500,
      500,
    ]);
    expect(new Set(seen.map(({ headers }) => headers?.['Webhook-Id'])).size).toBe(1);
    expect(await runDurableObjectAlarm(job)).toBe(true);
    expect(seen).toHaveLength(6);
    expect(await jobs.read(id, null)).toBeNull();
  });

  it('is logged for the account with the next attempt, without the query of its address', async () => {
    await applyMigrations(env);
    const accountId = 'account-of-webhooks';
    await accounts.createWithPasskey('Ann', {
      id: 'passkey-of-webhooks',
      accountId,
      name: 'a',
      publicKey: 'AAAA',
      counter: 0,
      transports: [],
      createdAt: NOW,
    });
    receive(null, 204);
    const id = await create('https://hook.example/jobs?secret=1', {
      address: '127.0.0.1',
      accountId,
    });
    await posted(id, 1);
    await expect.poll(() => accounts.webhookAttempts(accountId)).toHaveLength(1);
    await runDurableObjectAlarm(env.JOBS.getByName(id));
    await posted(id, 2);
    await expect.poll(() => accounts.webhookAttempts(accountId)).toHaveLength(2);
    const logged = { at: expect.any(String), jobId: id, address: 'https://hook.example/jobs' };
    const attempts = await accounts.webhookAttempts(accountId);
    expect(attempts).toEqual([
      { ...logged, status: 204 },
      { ...logged, error: expect.any(String), nextAt: expect.any(String) },
    ]);
    const { at, nextAt } = attempts[1]!;
    expect(Date.parse(nextAt!) - Date.parse(at)).toBeGreaterThanOrEqual(MINUTE);
  });

  it('is tried within an hour until it accepts or returns 410', () => {
    const tried = (...statuses: number[]): Webhook => ({
      url: '',
      secret: '',
      attempts: statuses.map((status) => ({ at: '', status })),
    });
    const pauses = [0, 1, 2, 3, 4, 5].map((count) =>
      pauseBeforeNext(tried(...Array(count).fill(500))),
    );
    expect(pauses.map((pause) => pause! / MINUTE)).toEqual([0, 1, 4, 10, 20, 25]);
    expect(pauseBeforeNext(tried(500, 500, 500, 500, 500, 500))).toBeNull();
    expect([200, 204, 410].map((status) => pauseBeforeNext(tried(500, status)))).toEqual([
      null,
      null,
      null,
    ]);
  });

  it('is sent through guarded egress: an address that becomes private receives nothing', async () => {
    const posts: string[] = [];
    let address = '1.1.1.1';
    vi.stubGlobal('fetch', async (url: URL, init?: RequestInit) => {
      if (!url.href.startsWith(RESOLVER)) {
        posts.push(`${init?.method} ${url.href} ${init?.redirect}`);
        return new Response(null, { status: 307, headers: { Location: 'http://127.0.0.1/' } });
      }
      const isV6 = url.searchParams.get('type') === 'AAAA';
      return Response.json({ Status: 0, Answer: isV6 ? [] : [{ type: 1, data: address }] });
    });
    const egress = new EdgeEgress('Tools', RESOLVER);
    expect(await attempt(egress)).toEqual({ at: AT, status: 307 });
    address = '10.0.0.1';
    expect(await attempt(egress)).toEqual({ at: AT, error: expect.stringMatching(/private/) });
    // The redirect is not followed. Each attempt resolves the name again.
    expect(posts).toEqual(['POST https://hook.example/ manual']);
    for (const url of ['https://127.0.0.1/', 'https://[::1]/', 'https://localhost/']) {
      expect(await attempt(egress, url)).toEqual({ at: AT, error: expect.any(String) });
    }
    expect(posts).toHaveLength(1);
  });

  it('ignores the response body and gives up after the timeout', async () => {
    let pulled = 0;
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>(
      {
        pull: () => {
          pulled += 1;
        },
        cancel: () => {
          cancelled = true;
        },
      },
      { highWaterMark: 0 },
    );
    const endless = {
      agent: '',
      exchange: async () => ({ status: 200, headers: new Headers(), body }),
    };
    expect(await attempt(endless)).toEqual({ at: AT, status: 200 });
    expect([pulled, cancelled]).toEqual([0, true]);

    const limit = new AbortController();
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
    const silent = {
      agent: '',
      exchange: async (_: EgressRequest, signal: AbortSignal): Promise<EgressResponse> => {
        limit.abort(new DOMException('', 'TimeoutError'));
        signal.throwIfAborted();
        throw new Error('not stopped');
      },
    };
    expect(await attempt(silent)).toEqual({
      at: AT,
      error: 'The webhook did not respond in time.',
    });
    expect(AbortSignal.timeout).toHaveBeenCalledWith(15_000);
  });

  it('logs an unexpected error and does not show its message', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    const broken = { agent: '', exchange: () => Promise.reject(new TypeError('a bug')) };
    expect(await attempt(broken)).toEqual({
      at: AT,
      error: expect.stringMatching(/^Something went wrong/),
    });
    expect(logged.mock.calls.join()).toContain('a bug');
  });

  it('matches the example signature of the specification', async () => {
    const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
    expect(await signatureOf(SECRET, id, 1614265330, utf8('{"test": 2432232314}'))).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    );
  });
});
