import { env } from 'cloudflare:workers';
import { PDFDocument } from 'pdf-lib';
import { describe, expect, it, vi } from 'vitest';
import { saying } from '../../test/support/models.ts';
import { unlimitedStorage } from '../../test/support/unlimited-storage.ts';
import { R2Files } from '../adapters/r2-files.ts';
import { ToolError } from '../core/errors.ts';
import type { LargeCall } from '../core/large-call.ts';
import type { Ports } from '../core/ports.ts';
import { runChain } from './chain.ts';
import { readSteps } from './chain-steps.ts';

const storage = new R2Files(env.FILES, 'https://storage.test', unlimitedStorage);
const ports = { storage } as unknown as Ports;

const run = (toolChain: unknown, progress?: (fraction: number, message?: string) => void) =>
  runChain(
    readSteps(toolChain),
    {
      caller: { address: '127.0.0.1' },
      signal: () => new AbortController().signal,
      requestId: 'test',
      ...(progress && { progress }),
    },
    ports,
  );

const refusal = (toolChain: unknown): ToolError => {
  try {
    readSteps(toolChain);
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
  throw new Error('it was taken');
};

const encode = (text?: string) => ({
  tool: 'encode_base64',
  parameters: text === undefined ? {} : { text },
});
const step = (tool: string, parameters?: unknown, id?: string) => ({ tool, parameters, id });

async function storedPdf(): Promise<string> {
  const document = await PDFDocument.create();
  document.addPage([99, 99]);
  const options = {
    filename: 'a.pdf',
    contentType: 'application/pdf',
    lifeSeconds: 60,
    caller: { address: '' },
  };
  return (await storage.store(await document.save({ useObjectStreams: false }), options)).url;
}

describe('a chain', () => {
  it('charges each step’s tokens under the name of its tool', async () => {
    const spent: unknown[] = [];
    await runChain(
      readSteps([encode('hi'), step('humanize_text', { text: 'Hi.' })]),
      {
        caller: { address: '127.0.0.1', accountId: 'a' },
        signal: () => new AbortController().signal,
        requestId: 'test',
        spend: (tokens, tool) => spent.push([tool, tokens > 0]),
      },
      { ...ports, models: saying('Hello.') },
    );
    expect(spent).toEqual([['humanize_text', true]]);
  });

  it('with a large body lets other calls run before each step', async () => {
    let pauses = 0;
    const begin = async () => {
      pauses += 1;
    };
    const large = { isHeld: true, begin } as unknown as LargeCall;
    const options = {
      caller: { address: '127.0.0.1' },
      signal: () => new AbortController().signal,
      requestId: 'test',
    };
    const steps = readSteps([encode('a'), encode('b'), encode('c')]);
    await runChain(steps, { ...options, large: () => large }, ports);
    expect(pauses).toBe(3);
    await runChain(steps, { ...options, large: () => ({ ...large, isHeld: false }) }, ports);
    expect(pauses).toBe(3);
  });

  it('does not start a model step when no tokens remain', async () => {
    const humanize = step('humanize_text', { text: 'Hi.' });
    const requested: string[] = [];
    let left = 1;
    const { result } = await runChain(
      readSteps([encode('hi'), humanize, humanize, encode('hi')]),
      {
        caller: { address: '127.0.0.1', accountId: 'a' },
        signal: () => new AbortController().signal,
        requestId: 'test',
        spend: () => {
          left = 0;
        },
        requireTokens: async (tool) => {
          requested.push(tool);
          if (left === 0) throw new ToolError('quota_exceeded', 'Spent.', { retryAfter: 60 });
        },
      },
      { ...ports, models: saying('Hello.') },
    );
    expect(requested).toEqual(['humanize_text', 'humanize_text']);
    const statuses = result.results.map(({ status }) => status);
    expect(statuses).toEqual(['succeeded', 'succeeded', 'failed', 'skipped']);
    expect(result.results[2]?.error).toMatchObject({ code: 'quota_exceeded' });
  });

  it('runs its tools in order and returns every result and the last one', async () => {
    const { result } = await run([encode('hi'), step('decode_base64', undefined, 'back')]);
    expect(result).toEqual({
      completed: true,
      results: [
        {
          index: 0,
          tool: 'encode_base64',
          status: 'succeeded',
          result: { encoded: 'aGk=' },
          durationMs: expect.any(Number),
        },
        {
          index: 1,
          id: 'back',
          tool: 'decode_base64',
          status: 'succeeded',
          result: { decoded: 'hi' },
          durationMs: expect.any(Number),
        },
      ],
      output: { decoded: 'hi' },
    });
  });

  it('fills a parameter from the field of the same name in the previous result', async () => {
    const { result } = await run([
      step('generate_fake_data', { type: 'name', count: 3 }),
      step('generate_fake_data', { type: 'email' }),
    ]);
    expect(result.output).toMatchObject({ type: 'email', count: 3 });
  });

  it('does not overwrite a parameter that the step sets', async () => {
    const { result } = await run([encode('a'), step('decode_base64', { encoded: 'Yg' })]);
    expect(result.output).toEqual({ decoded: 'b' });
  });

  it('fills the one missing text from the main string of the previous result', async () => {
    const { result } = await run([encode('hi'), encode(), step('generate_qr_code')]);
    expect(result.output).toMatchObject({ text: 'YUdrPQ==' });
    const formatted = await run([step('format_json', { json: '{"a":1}', indent: 0 }), encode()]);
    expect(formatted.result.output).toEqual({ encoded: 'eyJhIjoxfQ==' });
  });

  it('keeps the type of a reference that is the whole value, and otherwise inserts it as text', async () => {
    const { result } = await run([
      step('calculate_percentage', { operation: 'of', value1: 50, value2: 8 }, 'half'),
      step('calculate_percentage', { operation: 'of', value1: 50, value2: '{{prev.result}}' }),
      step('encode_url', {
        url: '{{ steps.half.result.result }}/{{steps[1].result.result}}/{{x}}',
      }),
    ]);
    expect(result.results[1]?.result).toMatchObject({ result: 2 });
    expect(result.output).toEqual({ encoded: '4%2F2%2F%7B%7Bx%7D%7D' });
  });

  it('resolves references into objects and lists by own fields only', async () => {
    const user = step('generate_fake_data', { type: 'user' });
    const { result } = await run([user, encode('{{prev.records.0.email}}')]);
    expect(result.completed).toBe(true);
    for (const path of [
      'records.length',
      'records.0.constructor',
      'records.0.__proto__.x',
      'records.1',
    ]) {
      const { result: failed } = await run([user, encode(`{{prev.${path}}}`)]);
      expect(failed.results[1]?.error).toMatchObject({
        code: 'bad_request',
        status: 400,
        error: expect.stringContaining('is invalid: there is no'),
      });
    }
    const segment = (text: string) => btoa(text).replaceAll('=', '');
    const token = `${segment('{}')}.${segment('{"__proto__":{"polluted":true}}')}.`;
    const { result: jwt } = await run([
      step('decode_jwt', { token }),
      step('encode_base64', { text: 'a', ['__proto__']: '{{prev.payload}}' }),
    ]);
    expect(jwt.completed).toBe(true);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('treats results as data and does not resolve references in them', async () => {
    const { result } = await run([
      step('decode_url', { encoded: '%7B%7Bsteps.0.result.decoded%7D%7D' }),
      encode('{{prev.decoded}}'),
      step('decode_base64'),
    ]);
    expect(result.output).toEqual({ decoded: '{{steps.0.result.decoded}}' });
  });

  it('stops at the first failure and reports the error and the skipped steps', async () => {
    const { result } = await run([
      encode('%%'),
      step('decode_url', { encoded: '{{prev.encoded}}%' }),
      encode(),
    ]);
    expect(result).toMatchObject({
      completed: false,
      output: null,
      results: [
        { status: 'succeeded' },
        { status: 'failed', error: { code: 'bad_request', status: 400, param: 'encoded' } },
        { status: 'skipped', durationMs: 0 },
      ],
    });
  });

  it('stores a file and passes its link to the next step', async () => {
    const { result } = await run([
      step('split_pdf', { ranges: ['1'], fileUrl: await storedPdf() }),
      step('split_pdf', { ranges: ['1'] }),
    ]);
    expect(result.output).toEqual({
      url: expect.stringMatching(/^https:\/\/storage\.test\/files\//),
      filename: 'a-pages-1-pages-1.pdf',
      contentType: 'application/pdf',
      size: expect.any(Number),
      deleteToken: expect.any(String),
      expiresAt: expect.stringMatching(/^\d{4}-/),
      pages: 1,
      inputBytes: expect.any(Number),
    });
    const stored = await storage.open(String(result.output?.url), 'url');
    expect(new TextDecoder().decode(stored.head)).toMatch(/^%PDF/);
    expect(stored.size).toBe(result.output?.size);
  });

  it('passes only the link of a file to the next step', async () => {
    const { result } = await run([
      step('split_pdf', { ranges: ['1'], fileUrl: await storedPdf() }),
      step('generate_qr_code'),
    ]);
    expect(result.output).toMatchObject({ text: result.results[0]?.result?.url, size: 300 });
  });

  it('stores a stream of unknown size', async () => {
    const bytes = crypto.getRandomValues(new Uint8Array(65_536));
    const stream = new Blob([bytes]).stream();
    const options = {
      filename: 'a.bin',
      contentType: 'application/octet-stream',
      lifeSeconds: 60,
      caller: { address: '' },
    };
    const stored = await storage.store({ stream, size: undefined }, options);
    expect(stored.size).toBe(65_536);
    expect(await (await storage.open(stored.url, 'url')).bytes()).toEqual(bytes);
  });

  it('rejects a value that grows beyond 8 MiB', async () => {
    const text = 'x'.repeat(4 * 2 ** 20);
    const twice = await run([
      step('decode_url', { encoded: text }),
      encode('{{prev.decoded}}{{prev.decoded}}{{prev.decoded}}'),
    ]);
    expect(twice.result.results[1]?.error).toMatchObject({
      status: 413,
      error: expect.stringMatching(/exceed 8 MB/),
    });
    const around = await run([
      step('decode_url', { encoded: 'y'.repeat(2 ** 20) }),
      step('compare_text', {
        text1: `${text.slice(2 ** 19)}{{prev.decoded}}`.repeat(2),
        text2: 'z',
      }),
    ]);
    expect(around.result.results[1]?.error).toMatchObject({
      error: expect.stringMatching(/exceed 8 MB/),
    });
    const grown = await run([encode(text), encode(), encode()]);
    expect(grown.result.results.map(({ status }) => status)).toContain('failed');
    expect(grown.result.results.find(({ error }) => error)?.error).toMatchObject({ status: 422 });
  });

  it('limits its results to 16 MB in UTF-8', async () => {
    // Each result contains the text as `decoded`, in 6 MB of UTF-8 but only 2 MB of UTF-16 code units.
    const { result } = await run(
      Array(3).fill(step('decode_url', { encoded: '愛'.repeat(2 ** 21) })),
    );
    expect(result.results.map(({ error }) => error?.error ?? '')).toEqual([
      '',
      '',
      expect.stringMatching(/^The results of this chain exceed 16 MB\./),
    ]);
  });

  it('searches for references in linear time', async () => {
    const started = Date.now();
    await run([
      encode('{{ steps'.repeat(200_000)),
      encode(`${'{{prev'.repeat(200_000)}${' '.repeat(1e6)}`),
    ]);
    expect(Date.now() - started).toBeLessThan(60_000);
  });

  it('reports progress step by step, with the name of each tool', async () => {
    const heard: unknown[] = [];
    const steps = [encode('a'), encode(), step('encode_url'), step('decode_url')];
    await run(steps, (...progress) => heard.push(progress));
    expect(heard).toEqual([
      [0, 'Encode Base64'],
      [0.25, 'Encode Base64'],
      [0.5, 'Encode URL'],
      [0.75, 'Decode URL'],
      [1],
    ]);
  });

  it('names the step in its warnings', async () => {
    const { warnings } = await run([encode('a'), step('encode_base64', { txt: 'b' })]);
    expect(warnings).toEqual([
      expect.stringMatching(/^Step 1: encode_base64 has no parameter "txt"/),
    ]);
  });
});

describe('a chain is rejected before it runs', () => {
  it('when a tool would reject the given parameters', () => {
    const ranges = [
      step('encode_base64', { text: 'a' }),
      step('split_pdf', { fileUrl: 'https://files.test/a.pdf', ranges: ['3-1'] }),
    ];
    expect(refusal(ranges)).toMatchObject({
      status: 400,
      param: 'toolChain[1].parameters.ranges',
      message: expect.stringContaining('3-1'),
    });
    const long = [step('draft_email', { prompt: 'x'.repeat(10_001) })];
    expect(refusal(long)).toMatchObject({ status: 413, param: 'toolChain[0].parameters.prompt' });
  });

  it.each([
    ['without steps', [], /1 to 12 steps, but this one has 0/, 'toolChain'],
    ['with more than 12 steps', Array(13).fill(encode('a')), /has 13/, 'toolChain'],
    ['that is not a list', { tool: 'encode_base64' }, /must be an array/, 'toolChain'],
    [
      'with a step that is not an object',
      ['encode_base64'],
      /Step 0: A step must be/,
      'toolChain[0]',
    ],
    [
      'with a parameter beside the tool name',
      [{ tool: 'encode_base64', text: 'a' }],
      /cannot have the field "text"/,
      'toolChain[0]',
    ],
    [
      'with parameters that are not an object',
      [step('encode_base64', 'a')],
      /object/,
      'toolChain[0].parameters',
    ],
    ['without a tool', [{ parameters: {} }], /"tool" is missing/, 'toolChain[0].tool'],
    ['with a numeric ID', [{ ...encode('a'), id: '7' }], /An ID must start/, 'toolChain[0].id'],
    [
      'with a duplicate ID',
      [
        { ...encode('a'), id: 'x' },
        { ...encode(), id: 'x' },
      ],
      /twice/,
      'toolChain[1].id',
    ],
    [
      'with a tool that needs an upload',
      [step('upload_file')],
      /takes an upload/,
      'toolChain[0].tool',
    ],
    [
      'without a file',
      [step('split_pdf', { ranges: ['1'] })],
      /Step 0: split_pdf needs a file/,
      'toolChain[0].parameters.fileUrl',
    ],
    [
      'with too few files',
      [encode('a'), step('merge_pdf')],
      /at least 2 files/,
      'toolChain[1].parameters.fileUrls',
    ],
    [
      'with a link of the wrong type',
      [step('split_pdf', { ranges: ['1'], fileUrl: 5 })],
      /one link/,
      'toolChain[0].parameters.fileUrl',
    ],
    [
      'with more parameters than any tool accepts',
      [step('encode_base64', Object.fromEntries(Array.from({ length: 201 }, (_, n) => [n, n])))],
      /at most 200 parameters/,
      'toolChain[0].parameters',
    ],
    [
      'with an invalid parameter',
      [encode('a'), step('encode_base64', { text: 5 })],
      /Step 1: The parameter "text" must be/,
      'toolChain[1].parameters.text',
    ],
    [
      'with a missing parameter',
      [encode()],
      /Step 0: The parameter "text" is missing/,
      'toolChain[0].parameters.text',
    ],
    [
      'with a parameter that the previous step does not fill',
      [encode('a'), step('calculate_percentage', { operation: 'of', value1: 1 })],
      /"value2" is missing.*does not fill/,
      'toolChain[1].parameters.value2',
    ],
    [
      'with a reference to itself',
      [encode('{{steps.0.result}}')],
      /there is no earlier step/,
      'toolChain[0].parameters.text',
    ],
    [
      'with a reference to a later step',
      [encode('a'), encode('{{steps.2.result.encoded}}'), encode()],
      /does not match an earlier step/,
      'toolChain[1].parameters.text',
    ],
    [
      'with a reference to an unknown ID',
      [encode('a'), encode('{{steps.x.result.encoded}}')],
      /does not match an earlier step/,
      'toolChain[1].parameters.text',
    ],
    [
      'with a reference to an inherited name',
      [encode('a'), encode('{{steps.constructor.result.x}}')],
      /does not match an earlier step/,
      'toolChain[1].parameters.text',
    ],
    [
      'with a malformed reference',
      [encode('a'), encode('{{steps.0.encoded}}')],
      /malformed/,
      'toolChain[1].parameters.text',
    ],
    [
      'with a reference to a field that the tool does not return',
      [encode('a'), encode('{{prev.decoded}}')],
      /Use a field that encode_base64 returns: encoded/,
      'toolChain[1].parameters.text',
    ],
    [
      'with a reference to a prototype',
      [encode('a'), encode('{{prev.__proto__}}')],
      /is invalid\./,
      'toolChain[1].parameters.text',
    ],
  ])('%s', (_, toolChain, message, param) => {
    expect(refusal(toolChain)).toMatchObject({
      code: 'bad_request',
      status: 400,
      param,
      message: expect.stringMatching(message),
    });
  });

  it('with more than 10,000 references in one parameter', () => {
    const many = (count: number) => [encode('a'), encode('{{prev.encoded}}'.repeat(count))];
    expect(refusal(many(10_001))).toMatchObject({
      status: 413,
      param: 'toolChain[1].parameters.text',
    });
    expect(readSteps(many(10_000))).toHaveLength(2);
  });

  it('with far more references, without searching for all of them', () => {
    const searches = vi.spyOn(RegExp.prototype, 'exec');
    refusal([encode('a'), encode('{{prev.encoded}}'.repeat(100_000))]);
    const count = searches.mock.calls.length;
    searches.mockRestore();
    expect(count).toBeGreaterThan(10_000);
    expect(count).toBeLessThan(50_000);
  });

  it('when a step needs a file and the parameters of the previous step make it return text', () => {
    const chained = (parameters: object) => () =>
      readSteps([
        {
          tool: 'extract_text_ocr',
          parameters: { ...parameters, fileUrl: 'https://x.test/files/a/b.png' },
        },
        { tool: 'compress_pdf' },
      ]);
    expect(chained({})).toThrow(/compress_pdf needs a file/);
    expect(chained({ output: 'words' })).toThrow(/compress_pdf needs a file/);
    expect(chained({ output: 'pdf' })).not.toThrow();
  });

  it('with an unknown tool', () => {
    expect(refusal([encode('a'), step('encode64')])).toMatchObject({
      code: 'tool_unknown',
      status: 400,
      param: 'toolChain[1].tool',
    });
  });

  it('with a browser-only tool, with 501', () => {
    expect(refusal([encode('a'), step('hash_text')])).toMatchObject({
      code: 'tool_unsupported',
      status: 501,
      param: 'toolChain[1]',
    });
  });
});
