import { describe, expect, it } from 'vitest';
import { memoryFile } from '../core/input-file.ts';
import { MediaClient, type SendToMedia } from './media-client.ts';

const file = memoryFile('a.pdf', new TextEncoder().encode('%PDF-'));
const never = new AbortController().signal;

const run = (send: SendToMedia, files = [file]) =>
  new MediaClient(send, 'secret').run('merge_pdf', {}, files, never);

describe('the media client', () => {
  it('sends the manifest and the bytes of every file', async () => {
    let received = '';
    await run(
      async (_path, init) => {
        received = await new Response(init.body).text();
        return new Response('result');
      },
      [file, file],
    );
    expect(received).toMatch(/^\{"params":\{\},"files":\[.+\]\}%PDF-%PDF-$/);
  });

  it('does not hang where a file cannot be read', async () => {
    const broken = {
      ...file,
      stream: async () => {
        throw new Error('the object is gone');
      },
    };
    const call = run(
      async (_path, init) => {
        await new Response(init.body).text();
        return new Response('result');
      },
      [broken],
    );
    await expect(call).rejects.toMatchObject({ status: 503 });
  });

  it('hands on what the operation says of the caller’s file', async () => {
    const answer = { error: 'a.pdf is damaged', code: 'bad_request', param: 'files' };
    const call = run(async () => Response.json(answer, { status: 400 }));
    await expect(call).rejects.toMatchObject({
      status: 400,
      param: 'files',
      message: answer.error,
    });
  });

  it('answers 503 to whatever speaks of our own request or is no answer of the worker’s', async () => {
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
});
