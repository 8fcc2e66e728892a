import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { EdgeEgress } from '../adapters/egress-edge.ts';
import { R2Files } from '../adapters/r2-files.ts';
import { jobOwner } from '../core/jobs.ts';
import { servicesOf } from '../services.ts';
import type { Job } from './job.ts';
import { packed } from './stored-text.ts';

afterEach(() => vi.restoreAllMocks());

const { jobs, storage } = servicesOf(env);
const ANNOUNCED = {
  filename: 'a.pdf',
  contentType: 'application/pdf',
  lifeSeconds: 60,
  caller: { address: '' },
};

function create(
  call: { tool?: string; [field: string]: unknown },
  owner: string | null = null,
  inputs: string[] = [],
): Promise<string> {
  const caller = { address: '127.0.0.1' };
  const { tool = 'chain' } = call;
  return jobs.create({ caller, owner, tool, call: JSON.stringify(call), inputs, warnings: [] });
}

const encode = {
  kind: 'execute',
  tool: 'encode_base64',
  parameters: { text: 'hi' },
  files: [],
};

// biome-ignore lint/suspicious/noExplicitAny: results of every shape
async function ended(id: string, owner: string | null = null): Promise<any> {
  for (;;) {
    const job = await new Response(await jobs.read(id, owner)).json<{ status: string } | null>();
    if (!/queued|running/.test(job!.status)) return job;
    await scheduler.wait(10);
  }
}

describe('a job', () => {
  it('can be read only by its owner', async () => {
    const id = await create(encode, 'account:a');
    expect(await ended(id, 'account:a')).toMatchObject({ result: { encoded: 'aGk=' } });
    for (const other of [null, 'account:b', 'key:a']) {
      expect(await jobs.read(id, other)).toBeNull();
      expect(await jobs.watch(id, other)).toBeNull();
      expect(await jobs.remove(id, other)).toBe(false);
    }
    expect(await jobs.remove(id, 'account:a')).toBe(true);
    expect(await jobs.read(id, 'account:a')).toBeNull();
  });

  it('belongs to the account, otherwise to the key, otherwise to anyone who knows its ID', () => {
    const key = {
      id: 'k',
      kind: 'trial',
      requestsPerDay: 1,
      tokensPerMonth: 1,
      bytesPerDay: 1,
    } as const;
    expect(jobOwner({ address: '', key, accountId: 'a' })).toBe('account:a');
    expect(jobOwner({ address: '', key })).toBe('key:k');
    expect(jobOwner({ address: '' })).toBeNull();
  });

  it('deletes its input when it finishes, and itself after its retention period', async () => {
    const input = await storage.store(new Uint8Array(9), ANNOUNCED);
    const id = await create(encode, null, [input.id]);
    await ended(id);
    const job = env.JOBS.getByName(id);
    const names = () =>
      runInDurableObject(job, (_, { storage: stored }) =>
        [...stored.kv.list()].map(([name]) => name),
      );
    expect(await names()).toEqual(['job', expect.stringMatching(/^result\//)]);
    expect(await storage.head(input.id)).toBeNull();
    expect(await runDurableObjectAlarm(job)).toBe(true);
    expect(await jobs.read(id, null)).toBeNull();
    expect(await names()).toEqual([]);
  });

  it('accepts input and returns results of many MB, with any characters', async () => {
    const text = '→😀x'.repeat(300_000);
    const id = await create({ ...encode, tool: 'encode_url', parameters: { url: text } });
    const { result } = await ended(id);
    expect(result.encoded === encodeURIComponent(text)).toBe(true);
  });

  it('fails with 422 without a retry if its result exceeds 8 MB', async () => {
    const text = '→'.repeat(1_000_000);
    const id = await create({ ...encode, tool: 'encode_url', parameters: { url: text } });
    expect(await ended(id)).toMatchObject({
      status: 'failed',
      error: { code: 'tool_failed', status: 422 },
    });
  });

  it('reports its result only in the last event, even to a watcher that connects afterwards', async () => {
    const id = crypto.randomUUID();
    const call = await packed(JSON.stringify(encode));
    const given = {
      caller: { address: '' },
      owner: null,
      tool: 'encode_base64',
      inputs: [],
      warnings: [],
      end: 0,
    };
    const events = await runInDurableObject(env.JOBS.getByName(id), async (job: Job) => {
      await job.create(id, { ...given, call });
      // The stream is read only after the job has finished, so the changes before that are skipped.
      const watched = job.watch(null);
      await ended(id);
      return (await new Response(watched).text()).trim().split('\n\n');
    });
    expect(events).toEqual([
      expect.stringMatching(/^event: progress\n.*"queued","progress":0\}$/),
      expect.stringMatching(/^event: end\n.*"succeeded".*"encoded":"aGk="/),
    ]);
  });

  it('ends the stream of a watcher with an error if its result cannot be read', async () => {
    const id = await create(encode);
    await ended(id);
    await runInDurableObject(env.JOBS.getByName(id), async (job: Job, { storage: stored }) => {
      for (const [name] of [...stored.kv.list({ prefix: 'result/' })])
        stored.kv.put(name, Uint8Array.of(0x1f, 0x8b, 0));
      await expect(new Response(job.watch(null)).text()).rejects.toThrow();
    });
  });

  it('stops its work when it is cancelled, even if its inputs cannot be deleted', async () => {
    const started = Promise.withResolvers<AbortSignal>();
    vi.spyOn(EdgeEgress.prototype, 'exchange').mockImplementation((_, signal) => {
      started.resolve(signal);
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason)),
      );
    });
    const parameters = { url: 'https://example.com/' };
    const id = await create({ ...encode, tool: 'fetch_page_metadata', parameters });
    const signal = await started.promise;
    const failure = new Error('the storage does not respond');
    vi.spyOn(R2Files.prototype, 'remove').mockRejectedValue(failure);
    await expect(jobs.remove(id, null)).rejects.toThrow();
    expect(signal.aborted).toBe(true);
  });

  it('is stored compressed', async () => {
    const text = 'a'.repeat(2 ** 20);
    const id = await create({ ...encode, parameters: { text } });
    await ended(id);
    const bytes = await runInDurableObject(env.JOBS.getByName(id), (_, { storage: stored }) =>
      [...stored.kv.list<Uint8Array>({ prefix: 'result/' })].reduce(
        (sum, [, piece]) => sum + piece.byteLength,
        0,
      ),
    );
    expect(bytes).toBeLessThan(20_000);
  });

  it('is tried three times while the media worker is down, then fails with the reason', async () => {
    const png = Uint8Array.fromHex('89504e470d0a1a0a0000000d49484452');
    const input = await storage.store(png, ANNOUNCED);
    const file = { id: input.id, name: 'a.png', declaredType: 'image/png' };
    const call = { kind: 'execute', tool: 'compress_image', parameters: {}, files: [file] };
    const id = await create(call, null, [input.id]);
    const job = env.JOBS.getByName(id);
    const attempts = () =>
      runInDurableObject(job, (_, { storage: stored }) => {
        const { status, attempts: made } = stored.kv.get<{ status: string; attempts: number }>(
          'job',
        )!;
        return `${status} after ${made}`;
      });
    for (const made of [1, 2]) {
      await expect.poll(attempts).toBe(`queued after ${made}`);
      // Runs the alarm immediately, without the pause before the next attempt.
      await runDurableObjectAlarm(job);
    }
    expect(await ended(id)).toMatchObject({
      status: 'failed',
      error: { code: 'internal', status: 503, retryAfter: expect.any(Number) },
    });
    expect(await attempts()).toBe('failed after 3');
    expect(await storage.head(input.id)).toBeNull();
  });

  it('is not tried again after an interruption in its third attempt', async () => {
    const id = `interrupted-${crypto.randomUUID()}`;
    const job = env.JOBS.getByName(id);
    // Simulates an isolate that crashed while it ran the job.
    await runInDurableObject(job, (_, { storage: stored }) => {
      stored.kv.put('job', {
        id,
        caller: { address: '' },
        owner: null,
        inputs: [],
        warnings: [],
        outputs: [],
        createdAt: Date.now(),
        status: 'running',
        attempts: 3,
      });
      return stored.setAlarm(Date.now() + 60_000);
    });
    await evictDurableObject(job);
    await runDurableObjectAlarm(job);
    expect(await ended(id)).toMatchObject({
      status: 'failed',
      error: {
        code: 'internal',
        status: 503,
        error: expect.stringContaining('interrupted 3 times'),
      },
    });
  });
});
