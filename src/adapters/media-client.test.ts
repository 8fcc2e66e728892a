import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { Caller } from '../core/caller.ts';
import { withRequest } from '../core/current-request.ts';
import { memoryFile } from '../core/input-file.ts';
import { MEDIA_HEADERS, PROGRESS_TYPE } from '../core/media-headers.ts';
import { MediaClient } from './media-client.ts';
import {
  type Attempt,
  type MediaRequest,
  type SendToInstance,
  type SendToMedia,
  toFleet,
} from './media-fleet.ts';
import { MediaRouting } from './media-routing.ts';
import { SYSTEM_CLOCK } from './system-clock.ts';

const file = memoryFile('a.pdf', new TextEncoder().encode('%PDF-'));
const never = new AbortController().signal;

const run = (send: SendToMedia, files = [file]) =>
  new MediaClient(send, 'secret').run('merge_pdf', {}, files, never);

/** Reads the body of a request as a media worker does. */
function readBody({ body }: MediaRequest, attempt: Partial<Attempt> = {}): Promise<string> {
  const opened =
    typeof body === 'function' ? body({ signal: never, fail: () => {}, ...attempt }) : body;
  return new Response(opened).text();
}

describe('the media client', () => {
  it('sends the manifest and the bytes of every file', async () => {
    let received = '';
    await run(
      async (_path, request) => {
        // Simulates a retry, which reads the files again.
        await readBody(request);
        received = await readBody(request);
        return new Response('result');
      },
      [file, file],
    );
    expect(received).toMatch(/^\{"params":\{\},"files":\[.+\]\}%PDF-%PDF-$/);
  });

  it('marks the error of a call that a busy worker did not start', async () => {
    const refusing = (reason: string) => async () =>
      Response.json(
        { error: 'Busy.', code: 'internal', retryAfter: 15 },
        { status: 503, headers: { [MEDIA_HEADERS.refused]: reason } },
      );
    await expect(run(refusing('busy'))).rejects.toMatchObject({ isBusy: true, retryAfter: 15 });
    await expect(run(refusing('full'))).rejects.toMatchObject({ isBusy: false });
  });

  it('fails instead of hanging when a file cannot be read', async () => {
    const broken = {
      ...file,
      stream: async () => {
        throw new Error('the object is gone');
      },
    };
    const call = run(
      (_path, request) =>
        new Promise((_, fail) => {
          readBody(request, { fail }).catch(() => undefined);
        }),
      [broken],
    );
    await expect(call).rejects.toMatchObject({ status: 503 });
  });

  it('repeats an upload on another worker when the first one closes its connection', async () => {
    await env.FILES.put('repeated-upload', new Uint8Array(300_000));
    const stream = async () => (await env.FILES.get('repeated-upload'))!.body;
    const lost = new Error('Network connection lost.');
    const closes: SendToInstance = async (_path, { body }) => {
      const reader = (body as ReadableStream<Uint8Array>).getReader();
      await reader.read();
      await reader.cancel(lost);
      // On a real network, the body's stream fails before `fetch` rejects.
      await scheduler.wait(20);
      throw lost;
    };
    const received: number[] = [];
    let attempts = 0;
    const instance: SendToInstance = async (path, init) => {
      attempts += 1;
      if (attempts === 1) return closes(path, init);
      received.push((await new Response(init.body).arrayBuffer()).byteLength);
      return new Response('result');
    };
    const routing = new MediaRouting([{ region: undefined, instances: [instance, instance] }]);
    await run(toFleet(routing, SYSTEM_CLOCK), [{ ...file, size: 300_000, stream }]);
    expect(received).toEqual([expect.toSatisfy((bytes: number) => bytes > 300_000)]);
  });

  it('returns the operation’s error about the caller’s file', async () => {
    const answer = { error: 'a.pdf is damaged', code: 'bad_request', param: 'files' };
    const call = run(async () => Response.json(answer, { status: 400 }));
    await expect(call).rejects.toMatchObject({
      status: 400,
      param: 'files',
      message: answer.error,
    });
  });

  it('returns 503 for errors about its own request and for malformed responses', async () => {
    const refusals = [
      Response.json({ error: 'the secret is wrong', code: 'bad_request' }, { status: 403 }),
      Response.json({ error: 'no such operation', code: 'not_found' }, { status: 404 }),
      new Response('Containers have not been enabled', { status: 500 }),
    ];
    for (const refusal of refusals) {
      await expect(run(async () => refusal)).rejects.toMatchObject({ status: 503, retryAfter: 5 });
    }
    const unreachable = run(async () => {
      throw new Error('connection refused');
    });
    await expect(unreachable).rejects.toMatchObject({ status: 503, retryAfter: 5 });
  });

  it('sends the request ID', async () => {
    let id: string | null = null;
    const send: SendToMedia = async (_path, init) => {
      id = new Headers(init.headers).get('X-Request-Id');
      return new Response('result');
    };
    await withRequest({ id: 'r-1', caller: { address: '192.0.2.1' } }, () => run(send));
    expect(id).toBe('r-1');
  });

  it('sends an opaque caller name by account or IPv6 /64, and none when limits are off', async () => {
    const named = async (caller: Caller, countsCallers = true): Promise<string | null> => {
      let name: string | null = null;
      const send: SendToMedia = async (_path, init) => {
        name = new Headers(init.headers).get('X-Media-Caller');
        return new Response('result');
      };
      const client = new MediaClient(send, 'secret', countsCallers);
      await withRequest({ id: 'r-1', caller }, () => client.run('merge_pdf', {}, [file], never));
      return name;
    };
    const counts = { requestsPerDay: 1, tokensPerMonth: 1, bytesPerDay: 1 };
    const address = await named({ address: '2001:db8::1' });
    expect(address).toMatch(/^address [0-9a-f]{32}$/);
    expect(await named({ address: '2001:db8::2' })).toBe(address);
    expect(await named({ address: '2001:db8:0:1::1' })).not.toBe(address);
    const trial = { id: 'k-1', kind: 'trial', ...counts } as const;
    expect(await named({ address: '2001:db8::3', key: trial })).toBe(address);
    const account = await named({ address: '192.0.2.1', accountId: 'a-1' });
    expect(account).toMatch(/^account [0-9a-f]{32}$/);
    const key = { id: 'k-2', kind: 'persistent', ...counts } as const;
    expect(await named({ address: '192.0.2.2', key, accountId: 'a-1' })).toBe(account);
    expect(await named({ address: '192.0.2.2', key })).toMatch(/^account /);
    expect(await named({ address: '192.0.2.1' }, false)).toBeNull();
  });
});

/** Runs an operation whose response arrives in these chunks. Returns the reported progress and the result. */
async function listen(pieces: string[]) {
  const heard: (number | string | undefined)[][] = [];
  const send: SendToMedia = async () => {
    const body = new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
        controller.close();
      },
    });
    return new Response(body, { headers: { 'Content-Type': PROGRESS_TYPE } });
  };
  const client = new MediaClient(send, 'secret');
  const result = await client.run('x', {}, [], never, (...told) => heard.push(told));
  return { heard, result };
}

describe('a response with progress', () => {
  const end = JSON.stringify({ result: { contentType: 'a/b', meta: { size: 5, more: 1 } } });

  it.each([
    [
      'in one piece',
      [`{"progress":0.1}\n{"progress":0.5,"message":"page 1 of 2"}\n${end}\n12\n45`],
    ],
    [
      'split at any byte',
      [...`{"progress":0.1}\n{"progress":0.5,"message":"page 1 of 2"}\n${end}\n12\n45`],
    ],
  ])('streams progress, then the result, then its bytes: %s', async (_, pieces) => {
    const { heard, result } = await listen(pieces);
    expect(heard).toEqual([
      [0.1, undefined],
      [0.5, 'page 1 of 2'],
    ]);
    expect(result).toMatchObject({ contentType: 'a/b', size: 5, meta: { more: 1 } });
    // Storage reads the body through a FixedLengthStream, too.
    const { readable, writable } = new FixedLengthStream(result.size!);
    const [text] = await Promise.all([new Response(readable).text(), result.body.pipeTo(writable)]);
    expect(text).toBe('12\n45');
  });

  it('can end with an error of the operation', async () => {
    const error = { error: 'It is cut off.', code: 'bad_request', status: 400, param: 'file' };
    const call = listen(['{"progress":0.1}\n', `${JSON.stringify({ error })}\n`]);
    await expect(call).rejects.toMatchObject({ status: 400, param: 'file', message: error.error });
  });

  it('returns 503 if it is cut off', async () => {
    await expect(listen(['{"progress":0.1}\n{"re'])).rejects.toMatchObject({ status: 503 });
  });
});
