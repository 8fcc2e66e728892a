/**
 * Tests queueing, watching and cancelling jobs over REST. Jobs whose service or media worker is killed are tested in
 * test/long.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { PDFDocument } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import { accountKey } from '../support/account-key.ts';
import { EXAMPLE_HOST } from '../support/example-site.ts';
import { pollJob, startMerge } from '../support/jobs.ts';
import { baseUrl, body, executeForm, stateDir } from '../support/service.ts';
import { makeSlowPdf } from '../support/slow-pdf.ts';

const ONE_PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';
const ASYNC = { Prefer: 'respond-async' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

const post = (path: string, value: unknown, headers = {}) =>
  fetch(`${baseUrl}/api/v1/tools/${path}`, {
    method: 'POST',
    headers: { ...JSON_TYPE, ...ASYNC, ...headers },
    body: JSON.stringify(value),
  });

const encode = (text: string) => ({ tool: 'encode_base64', parameters: { text } });

const location = (response: Response) => response.headers.get('Location') ?? '';

/** Waits until the job's status matches, and returns the job. By default, waits until the job has finished. */
const poll = (path: string, until?: RegExp, headers?: Record<string, string>) =>
  pollJob(path, baseUrl, until, headers);

const slow = new File([makeSlowPdf()], 'slow.pdf', { type: 'application/pdf' });

describe('Prefer: respond-async', () => {
  it('returns 202 with the address of the job, which completes', async () => {
    const response = await post('execute', encode('hi'));
    expect(response.status).toBe(202);
    expect(response.headers.get('Preference-Applied')).toBe('respond-async');
    expect(location(response)).toMatch(/^\/api\/v1\/jobs\/[0-9A-Za-z]{28}$/);
    const queued = await body(response);
    expect(queued).toEqual({
      id: location(response).split('/').at(-1),
      tool: 'encode_base64',
      status: 'queued',
      progress: 0,
    });
    expect(await poll(location(response))).toEqual({
      id: queued.id,
      tool: 'encode_base64',
      status: 'succeeded',
      progress: 1,
      result: { encoded: 'aGk=' },
    });
  });

  it('works beside other preferences', async () => {
    expect(
      (await post('execute', encode('a'), { Prefer: 'wait=5, Respond-Async;x=1' })).status,
    ).toBe(202);
    expect((await post('execute', encode('a'), { Prefer: 'respond-asynchronous' })).status).toBe(
      200,
    );
  });

  it('refuses a malformed call immediately', async () => {
    expect((await post('execute', { tool: 'encode_base64' })).status).toBe(400);
    expect((await post('chain', { toolChain: [] })).status).toBe(400);
    const split = (fileUrl: string, range: string) => ({
      tool: 'split_pdf',
      parameters: { fileUrl, ranges: [range] },
    });
    for (const [call, param] of [
      [split(`https://${EXAMPLE_HOST}/a.pdf`, 'x'), 'ranges'],
      [split('ftp://files.test/a.pdf', '1'), 'fileUrl'],
      [split('http://127.0.0.1:22/a.pdf', '1'), 'fileUrl'],
    ]) {
      const response = await post('execute', call);
      expect(response.status).toBe(400);
      expect(await body(response)).toMatchObject({ param });
    }
    const long = { tool: 'draft_email', parameters: { prompt: 'x'.repeat(10_001) } };
    expect((await post('execute', long)).status).toBe(413);
  });

  it('returns a file as a stored link', async () => {
    const document = await PDFDocument.create();
    document.addPage();
    document.addPage();
    const pdf = new File([(await document.save()) as Uint8Array<ArrayBuffer>], 'two.pdf', {
      type: 'application/pdf',
    });
    const response = await executeForm(
      [
        ['tool', 'split_pdf'],
        ['parameters', '{"ranges":["2"]}'],
        ['file', pdf, 'two.pdf'],
      ],
      ASYNC,
    );
    expect(response.status).toBe(202);
    const { result } = await poll(location(response));
    expect(result).toEqual({
      url: expect.stringContaining('/files/'),
      filename: 'two-pages-2.pdf',
      contentType: 'application/pdf',
      size: expect.any(Number),
      expiresAt: expect.any(String),
      pages: 1,
      inputBytes: expect.any(Number),
      deleteToken: expect.any(String),
    });
    const file = await (await fetch(result.url)).arrayBuffer();
    expect(file.byteLength).toBe(result.size);
    expect((await PDFDocument.load(file)).getPageCount()).toBe(1);
  });

  it('accepts an upload for upload_file, with its declared type', async () => {
    const bytes = new Uint8Array(9 * 2 ** 20);
    bytes.set([0x1f, 0x8b, 8, 0]);
    const file = new File([bytes], 'large.gz', { type: 'application/gzip' });
    const response = await executeForm(
      [
        ['tool', 'upload_file'],
        ['file', file, 'large.gz'],
      ],
      ASYNC,
    );
    const { result } = await poll(location(response));
    expect(result).toMatchObject({ filename: 'large.gz', size: bytes.byteLength });
    const found = await fetch(result.url);
    expect(found.headers.get('Content-Type')).toBe('application/gzip');
    expect((await found.arrayBuffer()).byteLength).toBe(bytes.byteLength);
  });

  it('reports why a job failed, and what was ignored', async () => {
    const failed = await post('execute', { tool: 'decode_base64', parameters: { encoded: '!' } });
    expect(await poll(location(failed))).toMatchObject({
      status: 'failed',
      error: { code: 'bad_request', status: 400, param: 'encoded' },
    });
    const warned = await post('execute', { ...encode('a'), extra: 1 });
    expect((await poll(location(warned))).warnings).toEqual([expect.stringContaining('"extra"')]);
  });

  it('runs chains, and reports how far a failed one came', async () => {
    const good = await post('chain', { toolChain: [encode('hi'), { tool: 'decode_base64' }] });
    expect(await poll(location(good))).toMatchObject({
      status: 'succeeded',
      result: { completed: true, output: { decoded: 'hi' } },
    });
    const toolChain = [encode('hi'), { tool: 'format_json', parameters: { json: '{' } }];
    expect(await poll(location(await post('chain', { toolChain })))).toMatchObject({
      status: 'failed',
      progress: 0.5,
      error: { code: 'bad_request' },
      result: { completed: false, results: [{ status: 'succeeded' }, { status: 'failed' }] },
    });
  });

  it('returns results of several MB', async () => {
    const text = 'x'.repeat(5 * 2 ** 20);
    const { result } = await poll(location(await post('execute', encode(text))));
    expect(result.encoded).toBe(btoa(text));
  });
});

describe('the server-sent events of a job', () => {
  const watch = (path: string) =>
    fetch(baseUrl + path, { headers: { Accept: 'text/event-stream' } });

  it('report its progress and end with its final state', async () => {
    const toolChain = Array.from({ length: 12 }, (_, index) =>
      index === 0 ? encode('a') : { tool: 'encode_base64' },
    );
    const response = await watch(location(await post('chain', { toolChain })));
    expect(response.headers.get('Content-Type')).toBe('text/event-stream');
    const events = (await response.text()).trim().split('\n\n');
    const last = /^event: end\ndata: (.*)$/.exec(events.at(-1) ?? '')?.[1];
    expect(JSON.parse(last ?? '')).toMatchObject({
      status: 'succeeded',
      progress: 1,
      result: { completed: true },
    });
    for (const event of events.slice(0, -1)) {
      expect(event).toMatch(
        /^event: progress\ndata: \{"id":"\w+","tool":"\w+","status":"(queued|running)","progress":[\d.]+(,"message":"[\w ]+")?\}$/,
      );
    }
  });

  it('contain only the final state of a finished job', async () => {
    const path = location(await post('execute', encode('a')));
    await poll(path);
    expect(await (await watch(path)).text()).toMatch(
      /^event: end\ndata: .*"encoded":"YQ=="\}\}\n\n$/,
    );
  });
});

describe('DELETE of a job', () => {
  it('cancels it and stops its programs', async () => {
    const path = await startMerge(baseUrl, slow);
    await poll(path, /running/);
    const gone = await fetch(baseUrl + path, { method: 'DELETE' });
    expect(gone.status).toBe(204);
    expect(await poll(path)).toMatchObject({ status: 'cancelled' });
    await pause(1500);
    expect(await poll(path)).not.toHaveProperty('result');
  });

  it('removes the result of a finished job, and its file', async () => {
    const document = await PDFDocument.create();
    document.addPage();
    const bytes = (await document.save()) as Uint8Array<ArrayBuffer>;
    const file = new File([bytes], 'a.pdf', { type: 'application/pdf' });
    const path = await startMerge(baseUrl, file);
    const { result } = await poll(path);
    expect((await fetch(result.url)).status).toBe(200);
    expect((await fetch(baseUrl + path, { method: 'DELETE' })).status).toBe(204);
    expect((await fetch(result.url)).status).toBe(404);
    for (const method of ['GET', 'DELETE']) {
      expect((await fetch(baseUrl + path, { method })).status).toBe(404);
    }
  });

  it('removes the file that a tool hosts for its result, also in a chain', async () => {
    // The padding makes the image a large input, so its result is stored.
    const pixel = Buffer.from(ONE_PIXEL, 'base64');
    const image = Buffer.concat([pixel, Buffer.alloc(5 * 2 ** 20)]);
    const file = new Blob([image], { type: 'image/png' });
    const upload = await executeForm([
      ['tool', 'upload_file'],
      ['file', file, 'a.png'],
    ]);
    const { url } = await body(upload);
    const step = { tool: 'compress_image', parameters: { fileUrl: url } };
    for (const [surface, call] of [
      ['execute', step],
      ['chain', { toolChain: [step] }],
    ] as const) {
      const path = location(await post(surface, call));
      const { result } = await poll(path);
      const { url: hosted } = result.output ?? result;
      expect((await fetch(hosted)).status).toBe(200);
      await fetch(baseUrl + path, { method: 'DELETE' });
      expect((await fetch(hosted)).status, surface).toBe(404);
    }
  });
});

describe('a job made with a key', () => {
  it('is available to every key of its account and to nobody else', async () => {
    const keys = await Promise.all(
      ['Jobs', 'Jobs', 'Others'].map((account) => accountKey(stateDir, { account })),
    );
    const bearers = keys.map((key) => ({ Authorization: `Bearer ${key}` }));
    const [mine, mineToo, other] = [bearers[0]!, bearers[1]!, bearers[2]!];
    const path = location(await post('execute', encode('secret'), mine));
    for (const key of [mine, mineToo]) {
      expect(await poll(path, /succeeded/, key)).toMatchObject({
        result: { encoded: btoa('secret') },
      });
    }
    const refused: [number, unknown][] = [];
    for (const headers of [other, {}, { ...other, Accept: 'text/event-stream' }]) {
      for (const method of ['GET', 'DELETE']) {
        const response = await fetch(baseUrl + path, { method, headers });
        refused.push([response.status, (await body(response)).code]);
      }
    }
    expect(refused).toEqual(Array(6).fill([404, 'not_found']));
    const wrong = { Authorization: `${mine.Authorization.slice(0, -1)}!` };
    expect((await fetch(baseUrl + path, { headers: wrong })).status).toBe(401);
    const events = { ...mineToo, Accept: 'text/event-stream' };
    expect(await (await fetch(baseUrl + path, { headers: events })).text()).toMatch(/^event: end/);
    expect((await fetch(baseUrl + path, { method: 'DELETE', headers: mineToo })).status).toBe(204);
    expect((await fetch(baseUrl + path, { headers: mine })).status).toBe(404);
  });
});

describe('links to files on other hosts', () => {
  const card = { fileUrl: `https://${EXAMPLE_HOST}/card.png`, format: 'webp', width: 100 };

  it('are fetched in a job', async () => {
    const path = location(await post('execute', { tool: 'compress_image', parameters: card }));
    const { result } = await poll(path);
    expect(result).toMatchObject({
      contentType: 'image/webp',
      width: 100,
      expiresAt: expect.any(String),
      inputBytes: expect.any(Number),
    });
    expect((await fetch(result.url)).status).toBe(200);
  });

  it('are fetched in a chain, also as a job', async () => {
    const toolChain = [
      { tool: 'compress_image', parameters: card },
      { tool: 'images_to_pdf', parameters: { fileUrls: ['{{prev.url}}', card.fileUrl] } },
    ];
    const at = await body(await post('chain', { toolChain }, { Prefer: 'wait=60' }));
    const later = await poll(location(await post('chain', { toolChain })));
    for (const { completed, output } of [at, later.result]) {
      expect(completed).toBe(true);
      const made = await PDFDocument.load(await (await fetch(output.url)).arrayBuffer());
      expect(made.getPages().map((page) => Math.round(page.getWidth()))).toHaveLength(2);
    }
  });

  it('fail the job and the step if the fetch fails', async () => {
    const fileUrl = `https://${EXAMPLE_HOST}/none.png`;
    const call = { tool: 'compress_image', parameters: { ...card, fileUrl } };
    const error = { status: 502, param: 'fileUrl' };
    expect(await poll(location(await post('execute', call)))).toMatchObject({
      status: 'failed',
      error,
    });
    const chained = await body(await post('chain', { toolChain: [call] }, { Prefer: '' }));
    expect(chained).toMatchObject({ completed: false, results: [{ status: 'failed', error }] });
  });
});

describe('a job', () => {
  it('returns 404 if it is unknown and 410 after it expires', async () => {
    for (const id of [
      'x',
      `0zzzzz${'a'.repeat(22)}`.slice(1),
      `${'z'.repeat(6)}${'a'.repeat(22)}`,
    ]) {
      expect((await fetch(`${baseUrl}/api/v1/jobs/${id}`)).status).toBe(404);
    }
    expect((await fetch(`${baseUrl}/api/v1/jobs/000001${'a'.repeat(22)}`)).status).toBe(410);
  });
});
