/**
 * Tests the log and the metrics of a service. They must show each call to the operator, but no data from the caller.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeSampleFiles } from '../content/sample-files.ts';
import { accountKey } from '../support/account-key.ts';
import { startService, stopService } from '../support/global-setup.ts';
import { pollJob, startMerge } from '../support/jobs.ts';
import { startModelServer } from '../support/model-server.ts';
import { parsePrometheus, sampleValue } from '../support/prometheus.ts';
import { CANARY, ServiceLog } from '../support/service-log.ts';
import { makeSlowPdf } from '../support/slow-pdf.ts';

const folder = mkdtempSync(join(tmpdir(), 'tools-logs-'));
const stateDir = join(folder, 'state');
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACED = { traceparent: `00-${TRACE}-00f067aa0ba902b7-00` };
let models: Awaited<ReturnType<typeof startModelServer>>;
let service: Awaited<ReturnType<typeof startService>>;

beforeAll(async () => {
  await makeSampleFiles(folder, ['report.pdf']);
  models = await startModelServer();
  service = await startService({
    STATE_DIR: stateDir,
    LOG_SUCCESSES: '1',
    OPENAI_BASE_URL: models.url,
    OPENAI_API_KEY: 'the-key-of-the-provider',
    MODEL_TEXT: 'writer',
  });
});
afterAll(async () => {
  await models.stop();
  rmSync(folder, { recursive: true, force: true });
});

const entries = () =>
  service.log.lines
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const send = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(service.baseUrl + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

/** Merges two copies of a file. The file names contain the canary text, which must not be logged. */
async function merge(bytes: Buffer<ArrayBuffer>, headers: Record<string, string> = {}) {
  const form = new FormData();
  form.append('tool', 'merge_pdf');
  for (const name of ['a', 'b']) form.append('files', new Blob([bytes]), `${CANARY}-${name}.pdf`);
  const url = `${service.baseUrl}/api/v1/tools/execute`;
  const response = await fetch(url, { method: 'POST', headers, body: form });
  await response.arrayBuffer();
  return response;
}

const metrics = async () =>
  parsePrometheus(await (await fetch(`${service.baseUrl}/metrics`)).text());

describe('the log', () => {
  it('carries a trace id from the caller to the media worker', async () => {
    const response = await merge(readFileSync(join(folder, 'report.pdf')), TRACED);
    expect(response.status).toBe(200);
    const requestId = response.headers.get('X-Request-Id');
    await vi.waitFor(
      () =>
        expect(entries().filter(({ traceId }) => traceId === TRACE)).toEqual(
          expect.arrayContaining([
            expect.objectContaining({ event: 'call', requestId, tool: 'merge_pdf', status: 200 }),
            expect.objectContaining({ event: 'request', requestId, operation: 'merge_pdf' }),
          ]),
        ),
      { timeout: 120_000 },
    );
  });

  it('contains nothing that a caller sent, however the call ends', async () => {
    const key = await accountKey(stateDir);
    const headers = {
      Authorization: `Bearer ${key}`,
      'User-Agent': CANARY,
      Referer: `https://example.com/${CANARY}`,
      Cookie: `session=${CANARY}`,
      traceparent: CANARY,
      'Idempotency-Key': `${CANARY}-1`,
    };
    const execute = '/api/v1/tools/execute';
    const run = (tool: string, parameters: unknown, more = {}) =>
      send(execute, { tool, parameters }, { ...headers, ...more });
    const statuses = await Promise.all([
      run('encode_base64', { text: CANARY }),
      run('encode_base64', { text: CANARY, [CANARY]: 1 }, { 'Idempotency-Key': '2' }),
      run(CANARY, {}, { 'Idempotency-Key': '3' }),
      run('draft_email', { prompt: `behave:error ${CANARY}` }, { 'Idempotency-Key': '4' }),
      run('draft_email', { prompt: `behave:html ${CANARY}` }, { 'Idempotency-Key': '5' }),
      run('format_json', { json: `{"${CANARY}": ` }, { 'Idempotency-Key': '6' }),
      run(
        'fetch_page_metadata',
        { url: `http://${CANARY}.invalid/${CANARY}` },
        { 'Idempotency-Key': '7' },
      ),
      run('encode_base64', { text: CANARY }, { Authorization: `Bearer ${CANARY}` }),
      send(execute, `{"tool": "${CANARY}`),
      send('/api/v1/tools/chain', {
        toolChain: [{ tool: 'encode_base64', parameters: { text: CANARY } }],
      }),
      send('/api/mcp', {
        jsonrpc: '2.0',
        id: CANARY,
        method: 'tools/call',
        params: { name: 'encode_base64', arguments: { text: CANARY, [CANARY]: 1 } },
      }),
      send('/api/mcp', { jsonrpc: '2.0', id: 1, method: CANARY }),
      send('/api/v1/uploads', { filename: `${CANARY}.txt` }, headers),
      fetch(`${service.baseUrl}/${CANARY}?${CANARY}=1`, { headers }),
      fetch(`${service.baseUrl}/files/${CANARY}/${CANARY}.pdf`),
      merge(Buffer.from(`%PDF-1.7 ${CANARY}`)),
    ]).then((responses) => responses.map(({ status }) => status));
    expect(new Set(statuses).size).toBeGreaterThan(3);
    expect(statuses.filter((status) => status === 500)).toEqual([]);
  });
});

describe('the log of a cancelled job', () => {
  it('reports no error of the service', async () => {
    const slow = new File([makeSlowPdf()], 'slow.pdf', { type: 'application/pdf' });
    const path = await startMerge(service.baseUrl, slow);
    await pollJob(path, service.baseUrl, /running/);
    await fetch(service.baseUrl + path, { method: 'DELETE' });
    const requestId = path.split('/').at(-1);
    await expect
      .poll(() =>
        entries().find((entry) => entry.requestId === requestId && entry.event === 'call'),
      )
      .toMatchObject({ level: 'info', surface: 'job', status: 499 });
  });

  it('reports no error of the service for a chain', async () => {
    const body = new FormData();
    body.append('tool', 'upload_file');
    body.append('file', new Blob([makeSlowPdf()]), 'slow.pdf');
    const uploaded = await fetch(`${service.baseUrl}/api/v1/tools/execute`, {
      method: 'POST',
      body,
    });
    const { url } = await uploaded.json();
    const toolChain = [{ tool: 'merge_pdf', parameters: { fileUrls: [url, url] } }];
    const started = await send('/api/v1/tools/chain', { toolChain }, { Prefer: 'respond-async' });
    const path = started.headers.get('Location')!;
    await pollJob(path, service.baseUrl, /running/);
    await fetch(service.baseUrl + path, { method: 'DELETE' });
    const requestId = path.split('/').at(-1);
    const logged = () => entries().filter((entry) => entry.requestId === requestId);
    await expect
      .poll(() => logged().filter(({ event }) => event === 'call'))
      .toMatchObject([
        { level: 'info', surface: 'chain', status: 499 },
        { level: 'info', surface: 'job', status: 499 },
      ]);
    expect(logged().filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('the metrics', () => {
  it('count calls of jobs, and report the queues, the browsers and the parts', async () => {
    const started = await send(
      '/api/v1/tools/execute',
      { tool: 'encode_base64', parameters: { text: CANARY } },
      { Prefer: 'respond-async' },
    );
    expect(started.status).toBe(202);
    const labels = { tool: 'encode_base64', surface: 'job', status: '200' };
    await expect
      .poll(async () => sampleValue(await metrics(), 'tools_calls_total', labels))
      .toBe(1);
    const shown = await metrics();
    const merged = { tool: 'merge_pdf', surface: 'rest', status: '200' };
    expect(sampleValue(shown, 'tools_media_run_seconds_total', merged)).toBeGreaterThan(0);
    expect(sampleValue(shown, 'tools_part_up', { part: 'media' })).toBe(1);
    const pdf = { kind: 'pdf', state: 'waiting' };
    expect(shown.get('tools_media_queue_calls')!.samples).toContainEqual(
      expect.objectContaining({ labels: pdf, value: 0 }),
    );
    expect([...shown.keys()]).toEqual(
      expect.arrayContaining(['tools_browsers_idle', 'tools_browser_captures']),
    );
  });
});

describe('the log check of a stopped service', () => {
  it('passes for this service', async () => {
    await stopService(service.child);
    expect(service.log.lines.length).toBeGreaterThan(20);
  });

  it.each([
    '{"event":"call","text":"a canary"}',
    '{"event":"call","tool":"https://example.com/"}',
    '{"event":"call","caller":"203.0.113.7"}',
    '{"event":"call","caller":"2001:db8::7"}',
    '{"event":"call","caller":"ann@example.com"}',
    `{"event":"call","upload":"${'x'.repeat(32)}"}`,
    `the key tsk_${'0'.repeat(38)}`,
    'the-secret-of-the-worker',
  ])('rejects a log with %s', (line) => {
    const log = new ServiceLog(['the-secret-of-the-worker']);
    log.lines.push(line);
    expect(log.findings()).toHaveLength(1);
  });
});
