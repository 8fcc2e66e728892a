/** Tests the client against a fake service. test/client tests it against a real service. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ConnectOptions, connect, ToolFile, ToolsError } from './client.ts';

interface Sent extends RequestInit {
  url: string;
  headers: Record<string, string>;
}

type Reply = Response | Error | ((sent: Sent) => Response | Promise<Response>);

/** Returns a client that receives these responses in order, and the list of the requests that the client has sent. */
function clientOf(replies: readonly Reply[], options: Partial<ConnectOptions> = {}) {
  const sent: Sent[] = [];
  const tools = connect({
    baseUrl: 'http://tools.test/',
    key: 'tsk_x',
    ...options,
    fetch: async (url, init) => {
      const request = { ...init, url } as Sent;
      sent.push(request);
      const reply = replies[sent.length - 1];
      if (!reply) throw new Error(`no reply to ${url}`);
      if (reply instanceof Error) throw reply;
      return typeof reply === 'function' ? reply(request) : reply;
    },
  });
  return { tools, sent };
}

const refusal = (status: number, fields: object, headers: Record<string, string> = {}) =>
  Response.json({ error: 'Refused.', code: 'internal', ...fields }, { status, headers });

const encoded = () => Response.json({ encoded: 'aGk=' });

const keysOf = (sent: readonly Sent[]) => sent.map(({ headers }) => headers['Idempotency-Key']);

const streamOf = (...chunks: string[]) => new Response(new Blob(chunks).stream()).body!;

/** Returns a response whose body fails with the error that fetch throws when the connection drops. */
function brokenFile(): Response {
  const body = new ReadableStream({
    pull: (controller) => controller.error(new TypeError('terminated')),
  });
  const headers = {
    'Content-Type': 'application/pdf',
    'Content-Disposition': 'attachment; filename="a.pdf"',
  };
  return new Response(body, { headers });
}

/** Returns the error with which the promise rejects. The rejection is handled even if the test awaits it later. */
const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error) => error,
  );

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

describe('a client call', () => {
  it('posts the parameters to the tool’s path with the API key', async () => {
    const { tools, sent } = clientOf([encoded()]);
    expect(await tools.encode_base64({ text: 'hi' })).toEqual({ encoded: 'aGk=' });
    expect(sent[0]).toMatchObject({
      url: 'http://tools.test/api/v1/tools/encode_base64',
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: 'Bearer tsk_x' },
      body: '{"text":"hi"}',
    });
  });

  it('sends a generated Idempotency-Key or the given one', async () => {
    const { tools, sent } = clientOf([encoded(), encoded(), encoded()]);
    await tools.encode_base64({ text: 'a' });
    await tools.encode_base64({ text: 'a' });
    await tools.encode_base64({ text: 'a' }, { idempotencyKey: 'mine' });
    const [first, second, given] = keysOf(sent);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).not.toBe(first);
    expect(given).toBe('mine');
  });

  it('sends no Idempotency-Key when retries are off', async () => {
    const { tools, sent } = clientOf([encoded()], { retries: 0 });
    await tools.encode_base64({ text: 'a' });
    expect(keysOf(sent)).toEqual([undefined]);
  });

  it('reports warnings', async () => {
    const warnings: string[] = [];
    const headers = { 'X-Tool-Warnings': 'x was ignored.' };
    const { tools } = clientOf([Response.json({}, { headers })], {
      onWarning: (message) => warnings.push(message),
    });
    await tools.encode_base64({ text: 'a' });
    expect(warnings).toEqual(['x was ignored.']);
  });

  it('throws the error of the function that receives warnings, and is not repeated', async () => {
    const headers = { 'X-Tool-Warnings': 'x was ignored.' };
    const { tools, sent } = clientOf([Response.json({}, { headers })], {
      onWarning: () => {
        throw new TypeError('a bug');
      },
    });
    expect(await failureOf(tools.encode_base64({ text: 'a' }))).toEqual(new TypeError('a bug'));
    expect(sent).toHaveLength(1);
  });

  it('can be made on a client that was awaited', async () => {
    const { tools } = clientOf([]);
    expect(await Promise.resolve(tools)).toBe(tools);
  });
});

describe('a refused call', () => {
  it.each([429, 503])(
    'with status %i is retried after Retry-After with the same key',
    async (status) => {
      const { tools, sent } = clientOf([
        refusal(status, { code: 'rate_limited' }, { 'Retry-After': '7' }),
        encoded(),
      ]);
      const result = tools.encode_base64({ text: 'hi' });
      await vi.advanceTimersByTimeAsync(6999);
      expect(sent).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(1);
      expect(await result).toEqual({ encoded: 'aGk=' });
      const [first, second] = keysOf(sent);
      expect(second).toBe(first);
      expect(sent[1]!.body).toBe(sent[0]!.body);
    },
  );

  it('is not retried after a long Retry-After', async () => {
    const fields = { code: 'rate_limited', requestId: 'r1', error: 'Too many.', retryAfter: 3000 };
    const { tools, sent } = clientOf([refusal(429, fields, { 'Retry-After': '3000' })]);
    const error = await failureOf(tools.encode_base64({ text: 'hi' }));
    expect(error).toBeInstanceOf(ToolsError);
    expect(error).toMatchObject({
      name: 'ToolsError',
      message: 'Too many.',
      code: 'rate_limited',
      status: 429,
      retryAfter: 3000,
      requestId: 'r1',
    });
    expect(sent).toHaveLength(1);
  });

  it('is retried at most as often as configured', async () => {
    const refuse = () => refusal(503, {}, { 'Retry-After': '0' });
    const { tools, sent } = clientOf([refuse, refuse, refuse], { retries: 2 });
    const error = failureOf(tools.encode_base64({ text: 'hi' }));
    await vi.runAllTimersAsync();
    expect(await error).toMatchObject({ status: 503, retryAfter: 0 });
    expect(sent).toHaveLength(3);
  });

  it.each([400, 422, 500, 502])('with status %i is not retried', async (status) => {
    const { tools, sent } = clientOf([refusal(status, { code: 'bad_request', param: 'text' })]);
    const error = await failureOf(tools.encode_base64({ text: 'hi' }));
    expect(error).toMatchObject({ code: 'bad_request', status, param: 'text' });
    expect(sent).toHaveLength(1);
  });

  it('can come from a proxy and contain no JSON', async () => {
    const headers = { 'X-Request-Id': 'r2' };
    const { tools } = clientOf([new Response('<h1>Bad gateway', { status: 502, headers })]);
    expect(await failureOf(tools.encode_base64({ text: '' }))).toMatchObject({
      code: 'internal',
      status: 502,
      requestId: 'r2',
    });
  });
});

describe('another server', () => {
  it('causes an error, and its page is not returned as a file', async () => {
    const page = new Response('<h1>Sign in', { headers: { 'Content-Type': 'text/html' } });
    const { tools, sent } = clientOf([page]);
    expect(await failureOf(tools.encode_base64({ text: 'hi' }))).toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('Check the URL of the service.'),
    });
    expect(sent).toHaveLength(1);
  });
});

describe('an API key', () => {
  it('with other characters than ASCII is refused before it is sent', async () => {
    for (const key of ['tsk_abcd…wxyz', 'tsk_a\r\nb', 'tsk_ abc']) {
      const { tools, sent } = clientOf([], { key });
      expect(await failureOf(tools.encode_base64({ text: 'hi' }))).toMatchObject({
        code: 'invalid_key',
        status: 401,
      });
      expect(sent).toEqual([]);
    }
  });
});

describe('a lost connection', () => {
  it('is retried with the same key until the first request has finished', async () => {
    const { tools, sent } = clientOf([
      new TypeError('network'),
      refusal(409, { code: 'bad_request', param: 'Idempotency-Key' }),
      encoded(),
    ]);
    const result = tools.encode_base64({ text: 'hi' });
    await vi.runAllTimersAsync();
    expect(await result).toEqual({ encoded: 'aGk=' });
    expect(new Set(keysOf(sent)).size).toBe(1);
  });

  it('is retried if the response is cut off', async () => {
    const broken = new ReadableStream({ pull: (stream) => stream.error(new TypeError('lost')) });
    const headers = { 'Content-Type': 'application/json' };
    const { tools, sent } = clientOf([new Response(broken, { headers }), encoded()]);
    const result = tools.encode_base64({ text: 'hi' });
    await vi.runAllTimersAsync();
    expect(await result).toEqual({ encoded: 'aGk=' });
    const [first, second] = keysOf(sent);
    expect(second).toBe(first);
  });

  it('throws a ToolsError with code unreachable when retries are used up', async () => {
    const cause = new TypeError('network');
    const { tools } = clientOf([cause], { retries: 0 });
    const error = await failureOf(tools.encode_base64({ text: 'hi' }));
    expect(error).toMatchObject({ name: 'ToolsError', code: 'unreachable', status: 0, cause });
  });
});

describe('an aborted call', () => {
  it('rejects with the abort reason and sends nothing more, even while waiting to retry', async () => {
    const controller = new AbortController();
    const { tools, sent } = clientOf([refusal(503, {}, { 'Retry-After': '50' }), encoded()]);
    const error = failureOf(tools.encode_base64({ text: 'hi' }, { signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(1000);
    controller.abort(new Error('no longer needed'));
    expect(await error).toMatchObject({ message: 'no longer needed' });
    await vi.runAllTimersAsync();
    expect(sent).toHaveLength(1);
    expect(sent[0]!.signal).toBe(controller.signal);
  });
});

describe('file arguments', () => {
  const fieldsOf = async ({ body, headers }: Sent) => {
    const form = await new Response(body, { headers }).formData();
    const entries = [...form].map(async ([name, value]) =>
      typeof value === 'string'
        ? [name, value]
        : [name, value.name, value.type, await value.text()],
    );
    return Promise.all(entries);
  };

  it('are sent as form parts after the parameters', async () => {
    const { tools, sent } = clientOf([encoded(), encoded()]);
    await tools.split_pdf({ file: new File(['x'], 'a.pdf'), ranges: ['1-2', '5'] });
    const parts = [
      new Blob(['x'], { type: 'application/pdf' }),
      new TextEncoder().encode('y'),
      { filename: 'c.pdf', data: new TextEncoder().encode('z').buffer },
    ];
    await tools.merge_pdf({ files: parts });
    expect(await fieldsOf(sent[0]!)).toEqual([
      ['ranges', '["1-2","5"]'],
      ['file', 'a.pdf', expect.anything(), 'x'],
    ]);
    expect((await fieldsOf(sent[1]!)).map(([, ...file]) => file)).toEqual([
      ['file', 'application/pdf', 'x'],
      ['file', expect.anything(), 'y'],
      ['c.pdf', expect.anything(), 'z'],
    ]);
  });

  it('are streamed once if they are streams', async () => {
    let received: unknown;
    const { tools, sent } = clientOf([
      async (request) => {
        received = await fieldsOf(request);
        return refusal(503, {}, { 'Retry-After': '0' });
      },
    ]);
    const file = { filename: 'a"\r\n.png', contentType: 'image/png', data: streamOf('one', 'two') };
    const error = await failureOf(tools.compress_image({ file, width: 5, grayscale: true }));
    expect(error).toMatchObject({ status: 503 });
    expect(sent[0]).toMatchObject({ duplex: 'half' });
    expect(sent[0]!.body).toBeInstanceOf(ReadableStream);
    expect(received).toEqual([
      ['width', '5'],
      ['grayscale', 'true'],
      ['file', expect.stringMatching(/^a.*\.png$/), 'image/png', 'onetwo'],
    ]);
  });

  it('are sent as links if they are links', async () => {
    const link = { filename: 'a.pdf', contentType: 'application/pdf', size: 3 };
    const { tools, sent } = clientOf([
      Response.json({ url: 'http://files.test/a.pdf', ...link }),
      encoded(),
      encoded(),
    ]);
    const stored = await tools.compress_pdf({ file: 'http://x.test/a.pdf' }, { link: true });
    await tools.merge_pdf({ files: [stored, new URL('http://x.test/b.pdf')] });
    await tools.merge_pdf({ fileUrls: ['http://x.test/c.pdf'] });
    expect(sent.map(({ body }) => JSON.parse(String(body)))).toEqual([
      { fileUrl: 'http://x.test/a.pdf' },
      { fileUrls: ['http://files.test/a.pdf', 'http://x.test/b.pdf'] },
      { fileUrls: ['http://x.test/c.pdf'] },
    ]);
    expect(sent[0]!.headers.Accept).toBe('application/json');
  });

  it('cannot mix files and links', async () => {
    const { tools } = clientOf([]);
    const mixed = tools.merge_pdf({ files: ['http://x.test/a.pdf', new Blob(['x'])] });
    await expect(mixed).rejects.toThrow('Send either links or files. A call cannot mix them.');
  });
});

describe('a file result', () => {
  it('has the filename and type of the response and can be read once', async () => {
    const headers = {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `attachment; filename="Bericht.pdf"; filename*=UTF-8''%C3%9Cbersicht.pdf`,
      'X-File-Facts': '{"pages":3}',
    };
    const { tools } = clientOf([new Response('bytes', { headers })]);
    const file = await tools.merge_pdf({ files: ['http://x.test/a', 'http://x.test/b'] });
    expect(file).toBeInstanceOf(ToolFile);
    expect({ ...file }).toMatchObject({
      filename: 'Übersicht.pdf',
      contentType: 'application/pdf',
      pages: 3,
    });
    const written: Uint8Array[] = [];
    await file.save(new WritableStream({ write: (chunk) => void written.push(chunk) }));
    expect(await new Blob(written as BlobPart[]).text()).toBe('bytes');
    await expect(file.bytes()).rejects.toThrow('The contents of this file were already read.');
  });

  it('throws a ToolsError if it is cut off', async () => {
    const { tools } = clientOf([brokenFile(), brokenFile()]);
    for (const read of ['bytes', 'blob'] as const) {
      const file = await tools.merge_pdf({ files: ['http://x.test/a', 'http://x.test/b'] });
      const error = { name: 'ToolsError', code: 'unreachable', status: 0 };
      await expect(file[read]()).rejects.toMatchObject(error);
    }
  });

  it('stored at another address is read without the API key', async () => {
    const link = { url: 'http://files.test/a', filename: 'a', contentType: 'text/plain', size: 1 };
    const { tools, sent } = clientOf([
      Response.json({ ...link, metadata: { width: 3 } }),
      new Response('x'),
    ]);
    const file = await tools.compress_image({ file: 'http://x.test/a' });
    expect(file).toMatchObject({ ...link, metadata: { width: 3 } });
    const blob = await file.blob();
    expect([blob.type, await blob.text()]).toEqual(['text/plain', 'x']);
    expect(sent[1]).toMatchObject({ url: 'http://files.test/a', headers: {} });
    expect(sent[1]!.headers.Authorization).toBeUndefined();
  });
});

describe('a job', () => {
  const LOCATION = '/api/v1/jobs/j1';
  const created = () => new Response('{}', { status: 202, headers: { Location: LOCATION } });
  const job = (status: string, fields: object = {}) => ({
    id: 'j1',
    status,
    progress: 0,
    ...fields,
  });
  const event = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
  const done = event('end', job('succeeded', { progress: 1, result: { text: 'Grüße' } }));

  it('is created when the caller listens to progress, and followed to its result', async () => {
    const bytes = new TextEncoder().encode(
      `${event('progress', job('queued'))}: at work\n\n${event('progress', job('running', { progress: 0.5, message: 'page 1 of 2' }))}${done}`,
    );
    // Each chunk is a single byte, so some chunks end in the middle of a character.
    const pieces = Array.from(bytes, (byte) => Uint8Array.of(byte));
    const { tools, sent } = clientOf([created(), new Response(new Blob(pieces).stream())]);
    const seen: unknown[] = [];
    const result = await tools.extract_text_ocr(
      { file: 'http://x.test/a' },
      { onProgress: (progress) => seen.push(progress) },
    );
    expect(result).toEqual({ text: 'Grüße' });
    expect(seen).toEqual([
      { status: 'queued', progress: 0 },
      { status: 'running', progress: 0.5, message: 'page 1 of 2' },
      { status: 'succeeded', progress: 1 },
    ]);
    expect(sent[0]!.headers.Prefer).toBe('respond-async');
    expect(sent[1]).toMatchObject({
      url: `http://tools.test${LOCATION}`,
      headers: { Accept: 'text/event-stream' },
    });
  });

  it('is followed again when its connection drops', async () => {
    const broken = new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(event('progress', job('running'))));
          controller.error(new TypeError('lost'));
        },
      }),
    );
    const ended = new Response(event('progress', job('running')));
    const { tools } = clientOf([created(), broken, ended, new Response(done)]);
    const result = tools.extract_text_ocr({ file: 'http://x.test/a' }, { onProgress: () => {} });
    await vi.runAllTimersAsync();
    expect(await result).toEqual({ text: 'Grüße' });
  });

  it('is followed again after growing pauses when each connection ends after one event', async () => {
    const ended = () => new Response(event('progress', job('running')));
    const lively = new Response(event('progress', job('running')).repeat(2));
    const replies = [...Array.from({ length: 8 }, ended), lively, ended(), new Response(done)];
    const times: number[] = [];
    const { tools } = clientOf([
      created(),
      ...replies.map((reply) => () => {
        times.push(Date.now());
        return reply;
      }),
    ]);
    const result = tools.extract_text_ocr({ file: 'http://x.test/a' }, { onProgress: () => {} });
    await vi.runAllTimersAsync();
    expect(await result).toEqual({ text: 'Grüße' });
    const pauses = times.slice(1).map((time, index) => time - times[index]!);
    expect(pauses).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000, 100, 200]);
  });

  it('throws a ToolsError when every event stream ends without an event', async () => {
    const replies = Array.from({ length: 4 }, () => new Response(': at work\n\n'));
    const { tools } = clientOf([created(), ...replies]);
    const call = tools.extract_text_ocr({ file: 'http://x.test/a' }, { onProgress: () => {} });
    const failure = failureOf(call);
    await vi.runAllTimersAsync();
    expect(await failure).toMatchObject({ code: 'unreachable' });
  });

  it('throws a ToolsError when every connection drops', async () => {
    const broken = () =>
      new Response(new ReadableStream({ pull: (stream) => stream.error(new TypeError('lost')) }));
    const { tools } = clientOf([created(), broken(), broken(), broken(), broken()]);
    const call = tools.extract_text_ocr({ file: 'http://x.test/a' }, { onProgress: () => {} });
    const failure = failureOf(call);
    await vi.runAllTimersAsync();
    expect(await failure).toMatchObject({
      name: 'ToolsError',
      message: 'The response was cut off. Try again.',
      code: 'unreachable',
    });
  });

  it('throws its error when it fails', async () => {
    const error = { error: 'No text.', code: 'tool_failed', status: 422, requestId: 'r3' };
    const { tools } = clientOf([created(), new Response(event('end', job('failed', { error })))]);
    const failed = tools.extract_text_ocr({ file: 'http://x.test/a' }, { onProgress: () => {} });
    expect(await failureOf(failed)).toMatchObject({
      name: 'ToolsError',
      message: 'No text.',
      code: 'tool_failed',
      status: 422,
      requestId: 'r3',
    });
  });

  it('throws the error of the function that receives progress', async () => {
    const { tools, sent } = clientOf([created(), new Response(event('progress', job('running')))]);
    const onProgress = () => {
      throw new TypeError('a bug');
    };
    const call = tools.extract_text_ocr({ file: 'http://x.test/a' }, { onProgress });
    expect(await failureOf(call)).toEqual(new TypeError('a bug'));
    expect(sent).toHaveLength(2);
  });

  it('is cancelled by the abort signal', async () => {
    const controller = new AbortController();
    const { tools, sent } = clientOf([
      created(),
      ({ signal }) => {
        const events = new ReadableStream({
          start: (stream) => signal!.addEventListener('abort', () => stream.error(signal!.reason)),
        });
        queueMicrotask(() => controller.abort(new Error('enough')));
        return new Response(events);
      },
      new Response(null, { status: 204 }),
    ]);
    const call = tools.extract_text_ocr(
      { file: 'http://x.test/a' },
      { onProgress: () => {}, signal: controller.signal },
    );
    expect(await failureOf(call)).toMatchObject({ message: 'enough' });
    expect(sent[2]).toMatchObject({ method: 'DELETE', url: `http://tools.test${LOCATION}` });
  });
});

describe('other client calls', () => {
  it('run chains from steps or text and open their files', async () => {
    const link = { url: 'http://files.test/a', filename: 'a', contentType: 'text/plain', size: 1 };
    const step = { index: 0, tool: 'compress_pdf', status: 'succeeded', result: link };
    const answer = () => Response.json({ completed: true, results: [step], output: link });
    const { tools, sent } = clientOf([answer(), answer()]);
    const chained = await tools.chain([
      { tool: 'compress_pdf', parameters: { fileUrl: 'http://x.test/a' } },
    ]);
    expect(chained.output).toBeInstanceOf(ToolFile);
    expect(chained.results[0].result).toBeInstanceOf(ToolFile);
    await tools.chain('compress this');
    expect(sent.map(({ body }) => JSON.parse(String(body)))).toEqual([
      { toolChain: [{ tool: 'compress_pdf', parameters: { fileUrl: 'http://x.test/a' } }] },
      { message: 'compress this' },
    ]);
  });

  it('search and upload', async () => {
    const { tools, sent } = clientOf([Response.json({ count: 0 }), Response.json({ url: 'u' })]);
    expect(await tools.search('merge', { topK: 2 })).toEqual({ count: 0 });
    await tools.upload(new File(['x'], 'a.txt'));
    expect(sent.map(({ url }) => new URL(url).pathname)).toEqual([
      '/api/v1/search',
      '/api/v1/tools/upload_file',
    ]);
    expect(sent[0]!.body).toBe('{"query":"merge","topK":2}');
  });
});
