/** Tests chains over REST, their limits, and chains that a model plans. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, stopService } from '../support/global-setup.ts';
import { startModelServer } from '../support/model-server.ts';
import { modelServer } from '../support/model-server-address.ts';
import { baseUrl, body, executeForm } from '../support/service.ts';

const chain = (value: unknown, headers: Record<string, string> = {}, at = baseUrl) =>
  fetch(`${at}/api/v1/tools/chain`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(value),
  });

const encode = (text?: string) => ({
  tool: 'encode_base64',
  parameters: text === undefined ? {} : { text },
});

describe('POST /api/v1/tools/chain', () => {
  it('runs twelve steps', async () => {
    const toolChain = [encode('hi'), ...Array.from({ length: 11 }, () => encode())];
    const response = await chain({ toolChain });
    expect(response.status).toBe(200);
    const { completed, results, output } = await body(response);
    expect(completed).toBe(true);
    expect(results).toHaveLength(12);
    let text = 'hi';
    for (let round = 0; round < 12; round++) text = btoa(text);
    expect(output).toEqual({ encoded: text });
  });

  it('passes a file from step to step by its stored link', async () => {
    const document = await PDFDocument.create();
    for (let page = 0; page < 4; page++) document.addPage([100, 100]);
    const file = new Blob([(await document.save()) as Uint8Array<ArrayBuffer>], {
      type: 'application/pdf',
    });
    const uploaded = await body(
      await executeForm([
        ['tool', 'upload_file'],
        ['file', file, 'four.pdf'],
      ]),
    );
    const toolChain = [
      { tool: 'split_pdf', parameters: { ranges: ['2-4'], fileUrl: uploaded.url } },
      { tool: 'split_pdf', parameters: { ranges: ['1-2'] }, id: 'two' },
      {
        tool: 'merge_pdf',
        parameters: { fileUrls: ['{{steps.0.result.url}}', '{{steps.two.result.url}}'] },
      },
      { tool: 'shorten_url' },
    ];
    const { completed, results, output } = await body(await chain({ toolChain }));
    expect(completed, JSON.stringify(results)).toBe(true);
    const merged = await fetch(output.shortUrl);
    expect(merged.headers.get('Content-Type')).toBe('application/pdf');
    const pages = (await PDFDocument.load(await merged.arrayBuffer())).getPageCount();
    expect(pages).toBe(5);
  });

  it('returns 200 with `completed: false` when a step fails', async () => {
    const response = await chain({
      toolChain: [{ tool: 'decode_base64', parameters: { encoded: '!' } }, encode()],
    });
    expect(response.status).toBe(200);
    expect(await body(response)).toMatchObject({
      completed: false,
      output: null,
      results: [{ status: 'failed', error: { code: 'bad_request' } }, { status: 'skipped' }],
    });
  });

  it('reports ignored fields in X-Tool-Warnings', async () => {
    const response = await chain({
      toolChain: [{ tool: 'encode_base64', parameters: { text: 'a', txt: 'b' } }],
      name: 'mine',
    });
    const warnings = response.headers.get('X-Tool-Warnings');
    expect(warnings).toMatch(/Ignored unknown fields: "name".*Step 0: .*"txt"/);
  });

  it.each([
    ['neither input', {}, 400, /exactly one/],
    ['both inputs', { toolChain: [encode('a')], message: 'a' }, 400, /exactly one/],
    ['a blank message', { message: ' ' }, 400, /message/],
    ['a message of 2,001 characters', { message: '😀'.repeat(2001) }, 400, /2001 characters/],
    ['a browser-only tool', { toolChain: [{ tool: 'hash_text' }] }, 501, /browser/],
  ])('refuses %s', async (_, value, status, message) => {
    const response = await chain(value);
    expect(response.status).toBe(status);
    expect((await body(response)).error).toMatch(message);
  });

  it.each([
    ['ftp://x/y', /begins with http/],
    ['', /begins with http/],
    ['http://127.0.0.1:22/a', /refused/],
  ])(
    'checks literal links before the chain starts, with %j in a later step',
    async (link, message) => {
      const customCode = `chain-${Date.now()}`;
      const toolChain = [
        { tool: 'shorten_url', parameters: { url: 'https://example.com/', customCode } },
        { tool: 'merge_pdf', parameters: { fileUrls: ['{{prev.shortUrl}}', link] } },
      ];
      for (const headers of [{ Prefer: 'handling=lenient' }, { Prefer: 'respond-async' }]) {
        const response = await chain({ toolChain }, headers);
        expect(response.status).toBe(400);
        const { error, param } = await body(response);
        expect(error).toMatch(/^Step 1: /);
        expect(error).toMatch(message);
        expect(param).toBe('toolChain[1].parameters.fileUrls');
      }
      expect((await fetch(`${baseUrl}/${customCode}`, { redirect: 'manual' })).status).toBe(404);
    },
  );

  it('returns 415 for a body that is not JSON', async () => {
    const response = await fetch(`${baseUrl}/api/v1/tools/chain`, {
      method: 'POST',
      body: new FormData(),
    });
    expect(response.status).toBe(415);
    expect((await response.json()) as object).toMatchObject({
      error: expect.stringMatching(/With curl: -H 'Content-Type: application\/json'\.$/),
    });
  });
});

describe('the limits of chains', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tools-chain-'));
  let service: { child: ChildProcess; baseUrl: string };
  beforeAll(async () => {
    const settings = { STATE_DIR: join(folder, 'limits'), RATE_LIMITS: 'on', TRUSTED_PROXY: 'on' };
    service = await startService(settings);
  });
  afterAll(async () => {
    await stopService(service.child);
    rmSync(folder, { recursive: true, force: true });
  });
  const from = (address: string, value: unknown) =>
    chain(value, { 'X-Forwarded-For': address }, service.baseUrl);

  it('charge one execution for each step before the chain starts', async () => {
    const twelve = { toolChain: [encode('a'), ...Array.from({ length: 11 }, () => encode())] };
    expect((await from('203.0.113.1', twelve)).status).toBe(200);
    expect((await from('203.0.113.1', twelve)).status).toBe(200);
    const third = await from('203.0.113.1', twelve);
    expect(third.status).toBe(429);
    expect((await body(third)).error).toContain(
      'needs 12 tool executions, but you have only 11 of 35',
    );
    expect((await from('203.0.113.1', { toolChain: [encode('a')] })).status).toBe(200);
  });

  it('allow 12 chains a minute', async () => {
    // The calls are concurrent, because sequential calls could take more than a minute on a slow machine.
    const chains = Array.from({ length: 13 }, () =>
      from('203.0.113.2', { toolChain: [encode('a')] }),
    );
    const statuses = (await Promise.all(chains)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([...Array(12).fill(200), 429]);
  });

  it('refuse a chain with an account-only tool to anonymous callers', async () => {
    const toolChain = [encode('a'), { tool: 'humanize_text', parameters: { text: 'b' } }];
    expect((await from('203.0.113.3', { toolChain })).status).toBe(401);
  });

  it('charge no tool units for a chain with a step whose model is not configured, and no step runs', async () => {
    const toolChain = [
      { tool: 'shorten_url', parameters: { url: 'https://example.com/' } },
      { tool: 'draft_email', parameters: { prompt: 'thank Ada' } },
    ];
    for (let call = 0; call < 4; call++) {
      const refused = await from('203.0.113.5', { toolChain });
      expect(refused.status).toBe(501);
      expect((await body(refused)).error).toContain('MODEL_TEXT');
    }
    const one = await from('203.0.113.5', { toolChain: toolChain.slice(0, 1) });
    expect(one.headers.get('RateLimit')).toMatch(/^"chain";r=7;/);
    expect(await body(one)).toMatchObject({ completed: true });
  });

  it('return 501 for a message without a text model, and point to toolChain', async () => {
    const response = await from('203.0.113.4', { message: 'encode hello' });
    expect(response.status).toBe(501);
    expect(await body(response)).toMatchObject({
      code: 'tool_unsupported',
      error: expect.stringContaining('toolChain'),
    });
  });
});

describe('a chain from a message', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tools-plan-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is planned by the text model, run, charged, and returned as `plan`', async () => {
    const plan = [{ tool: 'encode_base64', parameters: { text: 'hi' } }, encode()];
    const { child, baseUrl: at } = await startService({
      STATE_DIR: folder,
      OPENAI_BASE_URL: modelServer,
      MODEL_TEXT: `say:${encodeURIComponent(JSON.stringify({ toolChain: plan }))}`,
      RATE_LIMITS: 'on',
    });
    try {
      const response = await chain({ message: 'encode hi, twice' }, {}, at);
      expect(response.status).toBe(200);
      expect(await body(response)).toMatchObject({
        completed: true,
        output: { encoded: 'YUdrPQ==' },
        plan,
      });
      for (let left = 33; left > 22; left--) await chain({ toolChain: [encode('a')] }, {}, at);
      const more = await fetch(`${at}/api/v1/tools/execute`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(encode('a')),
      });
      expect(more.headers.get('RateLimit')).toMatch(/^"execution";r=21;/);
    } finally {
      await stopService(child);
    }
  });

  it('is refused without a model call when no execution remains, and a private link costs one execution', async () => {
    const requested: string[] = [];
    const model = await startModelServer((path) => requested.push(path));
    const fileUrl = 'http://10.0.0.1/';
    const plan = { toolChain: [{ tool: 'compress_pdf', parameters: { fileUrl } }] };
    const { child, baseUrl: at } = await startService({
      STATE_DIR: join(folder, 'spent'),
      OPENAI_BASE_URL: model.url,
      MODEL_TEXT: `say:${encodeURIComponent(JSON.stringify(plan))}`,
      RATE_LIMITS: 'on',
    });
    try {
      const planned = await chain({ message: 'encode a' }, {}, at);
      expect(planned.status).toBe(422);
      expect(planned.headers.get('RateLimit')).toMatch(/^"chain";r=11;/);
      expect(requested).toHaveLength(2);
      const twelve = [encode('a'), ...Array.from({ length: 11 }, () => encode())];
      for (const steps of [12, 12, 10]) {
        const run = await chain({ toolChain: twelve.slice(0, steps) }, {}, at);
        expect(run.status).toBe(200);
      }
      const refused = await chain({ message: 'encode c' }, {}, at);
      expect(refused.status).toBe(429);
      expect((await body(refused)).error).toContain('35 tool executions');
      expect(requested).toHaveLength(2);
    } finally {
      await stopService(child);
      await model.stop();
    }
  });
});
