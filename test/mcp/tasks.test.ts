/** Tests tasks as defined by MCP 2026-07-28, at the endpoint for agents over plain HTTP. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AGENT_ENDPOINT } from '../../src/catalogue/mcp-endpoints.ts';
import { accountKey } from '../support/account-key.ts';
import { baseUrl, body, executeForm, stateDir } from '../support/service.ts';

const ISO = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const VERSION = '2026-07-28';
const CLIENT = { name: 'test', version: '1' };
const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const folder = mkdtempSync(join(tmpdir(), 'tools-tasks-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Options {
  capabilities?: object;
  key?: string;
}

let ids = 0;
async function send(
  method: string,
  params: Record<string, unknown>,
  { capabilities = TASKS, key }: Options = {},
) {
  ids += 1;
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': VERSION,
    'io.modelcontextprotocol/clientInfo': CLIENT,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  return dispatch({ jsonrpc: '2.0', id: ids, method, params: { ...params, _meta } }, key);
}

async function dispatch(message: unknown, key?: string) {
  const { method, params } = message as { method: string; params: Record<string, string> };
  const name = params.name ?? params.taskId ?? params.uri;
  const response = await fetch(baseUrl + AGENT_ENDPOINT.path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': VERSION,
      'Mcp-Method': method,
      ...(name !== undefined && { 'Mcp-Name': name }),
      ...(key && { Authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(message),
  });
  return body(response);
}

const call = (name: string, given: object, options?: Options) =>
  send('tools/call', { name, arguments: given }, options);

async function stored(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const file = new File([bytes], name);
  const answer = await executeForm([
    ['tool', 'upload_file'],
    ['file', file, name],
  ]);
  return (await body(answer)).url;
}

function video(seconds: number, size: string): Promise<string> {
  const path = join(folder, `${seconds}.mp4`);
  const source = `testsrc2=size=${size}:rate=30:duration=${seconds}`;
  const words = ['-v', 'error', '-f', 'lavfi', '-i', source, '-preset', 'ultrafast', path];
  execFileSync('ffmpeg', words);
  return stored('clip.mp4', new Uint8Array(readFileSync(path)));
}

let short: string;
beforeAll(async () => {
  short = await video(1, '320x240');
});

describe('a task', () => {
  it('is polled until its result is available', async () => {
    const result = await resultOf('transcode_video', { fileUrl: short });
    expect(result).toMatchObject({
      resultType: 'complete',
      structuredContent: { status: 'succeeded', result: { contentType: 'video/mp4' } },
    });
  });

  it('has the fields of the extension, and is acknowledged when it is cancelled', async () => {
    const fileUrl = await video(20, '640x360');
    const heavy = { fileUrl, preset: 'slow', videoCodec: 'h265', scale: '1920:-1' };
    const { result: created } = await call('transcode_video', heavy);
    expect(created.resultType).toBe('task');
    const { taskId } = created;
    const { result: working } = await send('tasks/get', { taskId });
    const fields = {
      taskId,
      status: 'working',
      statusMessage: expect.stringMatching(/^\w+, \d+ %$/),
      createdAt: expect.stringMatching(ISO),
      lastUpdatedAt: expect.stringMatching(ISO),
      ttlMs: 86_400_000,
      pollIntervalMs: 5000,
    };
    expect(created).toMatchObject(fields);
    expect(working).toMatchObject({ ...fields, resultType: 'complete' });
    for (const name of ['task', 'ttl', 'requestState']) expect(created).not.toHaveProperty(name);
    expect(Date.parse(working.createdAt)).toBeLessThanOrEqual(Date.now());
    const update = await send('tasks/update', { taskId, inputResponses: {} });
    expect(update.result).toMatchObject({ resultType: 'complete' });
    for (let times = 0; times < 2; times++) {
      const { result } = await send('tasks/cancel', { taskId });
      expect(result.resultType).toBe('complete');
      expect(result).not.toHaveProperty('taskId');
    }
    const { result: cancelled } = await send('tasks/get', { taskId });
    expect(cancelled).toMatchObject({ resultType: 'complete', status: 'cancelled', taskId });
  });

  it('is announced, and refused to clients that have not declared the extension', async () => {
    const { result } = await send('server/discover', {});
    expect(result.capabilities).toMatchObject(TASKS);
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const { error } = await send(method, { taskId: 'x' }, { capabilities: {} });
      expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: TASKS } });
    }
    const plain = await call('transcode_video', { fileUrl: short }, { capabilities: {} });
    expect(plain.result).toMatchObject({ resultType: 'complete', content: expect.any(Array) });
    for (const method of ['tasks/result', 'tasks/list']) {
      expect((await send(method, { taskId: 'x' })).error.code).toBe(-32601);
    }
  });

  it('is available only to its caller; an unknown one returns -32602', async () => {
    const key = await accountKey(stateDir);
    const { result } = await call('transcode_video', { fileUrl: short }, { key });
    const { taskId } = result;
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
      expect((await send(method, { taskId })).error.code).toBe(-32602);
      expect((await send(method, { taskId: 'none' })).error.code).toBe(-32602);
    }
    expect((await send('tasks/get', { taskId }, { key })).result.taskId).toBe(taskId);
  });
});

/** Returns the result of a call. If the call creates a task, waits until the task has finished. */
async function resultOf(name: string, given: object) {
  let { result } = await call(name, given);
  const { taskId } = result;
  while (result.resultType === 'task' || result.status === 'working') {
    result = (await send('tasks/get', { taskId })).result;
  }
  return taskId === undefined ? result : result.result;
}

describe('a call as a task returns the same as a direct call', () => {
  it('for a result with text', async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="200"><rect width="100%" height="100%" fill="white"/><text x="40" y="120" font-size="64" font-family="sans-serif">Read this</text></svg>`;
    const scan = await sharp(Buffer.from(svg)).png().toBuffer();
    const fileUrl = await stored('scan.png', new Uint8Array(scan));
    const [withTasks, without] = await Promise.all([
      resultOf('extract_text_ocr', { fileUrl }),
      call('extract_text_ocr', { fileUrl }, { capabilities: {} }),
    ]);
    expect(withTasks).toMatchObject({ resultType: 'complete' });
    expect(withTasks.structuredContent).toEqual(without.result.structuredContent);
    expect(withTasks.content).toEqual(without.result.content);
  });

  it('for an error, also with a data: URL', async () => {
    const pdf = '%PDF-1.4\n% damaged';
    const fileUrl = `data:application/pdf;base64,${Buffer.from(pdf).toString('base64')}`;
    const [withTasks, without] = await Promise.all([
      resultOf('compress_pdf', { fileUrl }),
      call('compress_pdf', { fileUrl }, { capabilities: {} }),
    ]);
    expect(withTasks).toMatchObject({ resultType: 'complete', isError: true });
    expect(withTasks.content).toEqual(without.result.content);
  });
});
