/**
 * Runs 200 connections for five minutes. They make about 600 small calls per second, and calls to five media tools keep
 * the queues full. The measurement needs an idle machine. Set MIXED_SECONDS=60 for a shorter run.
 */
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService, stopService } from '../support/global-setup.ts';
import { type Call, formOf, mediaCalls, mediaWorkerOf } from '../support/media-load.ts';
import { residentOf, workerdOf } from '../support/workerd-process.ts';
import { memoryFolder } from './memory-folder.ts';
import type { Row } from './row.ts';

const SECONDS = Number(process.env.MIXED_SECONDS || 300);
const SMALL = 160;
const HEAVY = 40;
/** The maximum pause between two small calls on a connection, in milliseconds. The pause is random. */
const MAX_PAUSE_MS = 500;
const MAX_P99_MS = 250;
/**
 * The maximum ratio of the mean memory in the last fifth of the run to that in the second fifth, when pools and caches
 * are already full.
 */
const MAX_GROWTH = 1.1;

const json = (path: string, sent: unknown) => ({
  method: 'POST',
  path,
  body: JSON.stringify(sent),
});
const tool = (name: string, parameters: object) =>
  json('/api/v1/tools/execute', { tool: name, parameters });
const SMALL_CALLS = [
  tool('encode_base64', { text: 'hello world' }),
  tool('format_json', { json: '{"a":[1,2,3],"b":{"c":null}}' }),
  tool('compare_text', { text1: 'a\nb\nc', text2: 'a\nx\nc' }),
  json('/api/mcp', {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'encode_url', arguments: { text: 'a b' } },
  }),
  json('/api/v1/search', { query: 'merge pdf files' }),
  { method: 'GET', path: '/tools/encode_base64', body: '' },
];

interface Answers {
  served: number;
  /** The number of 503 responses with Retry-After. */
  busy: number;
  /** The number of all other errors. */
  failed: number;
}

export async function mixedRows(): Promise<Row[]> {
  const folder = memoryFolder('tools-mixed-');
  const calls = mediaCalls(join(folder, 'files'));
  // Each heavy connection is a separate caller, because a single caller could not fill a queue.
  const service = await startService({
    STATE_DIR: join(folder, 'state'),
    TRUSTED_PROXY: 'on',
    LOG_SUCCESSES: '0',
  });
  const pid = service.child.pid!;
  const processes = [pid, workerdOf(pid), mediaWorkerOf(pid)!.pid];
  const memory: number[] = [];
  const over = new AbortController();
  await eachOnce(service.baseUrl);
  const sampling = setInterval(() => {
    memory.push(processes.reduce((sum, one) => sum + residentOf(one), 0));
  }, 1000);
  try {
    const heavy = heavyCalls(service.baseUrl, calls, over.signal);
    await sleep(5000);
    const small = await smallCalls(new URL(service.baseUrl), folder);
    over.abort();
    return rowsOf(small, await heavy, memory);
  } finally {
    over.abort();
    clearInterval(sampling);
    await stopService(service.child);
    rmSync(folder, { recursive: true });
  }
}

function rowsOf(
  small: Answers & { p99: number },
  heavy: Answers,
  memory: readonly number[],
): Row[] {
  const fifth = Math.ceil(memory.length / 5);
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [before, after] = [mean(memory.slice(fifth, 2 * fifth)), mean(memory.slice(-fifth))];
  const failed = small.failed + heavy.failed;
  const row = (name: string, ours: string, goal: string, reached: boolean, theirs = ''): Row => ({
    name: `${SMALL + HEAVY} connections: ${name}`,
    ratio: '',
    ours,
    theirs,
    goal,
    reached,
  });
  return [
    row(
      'p99 of small calls',
      `${small.p99.toFixed(0)} ms`,
      `≤ ${MAX_P99_MS} ms`,
      small.p99 <= MAX_P99_MS,
    ),
    row('small calls', `${small.served}`, 'any', true),
    row('503 for small calls', `${small.busy}`, '0', small.busy === 0),
    row('media calls', `${heavy.served}`, '> 0', heavy.served > 0),
    row('503 for media calls', `${heavy.busy}`, '> 0', heavy.busy > 0),
    row('other errors', `${failed}`, '0', failed === 0),
    row(
      'memory, end and start',
      `${after.toFixed(0)} MB`,
      `≤ ${MAX_GROWTH}`,
      after / before <= MAX_GROWTH,
      `${before.toFixed(0)} MB`,
    ),
  ];
}

/** Makes each small call once. Throws if a response is wrong. */
async function eachOnce(baseUrl: string): Promise<void> {
  for (const { method, path, body } of SMALL_CALLS) {
    const response = await fetch(baseUrl + path, {
      method,
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/html' },
      ...(body && { body }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  }
}

/** Runs connections that repeatedly call the media tools. After a 503, they wait for the time in Retry-After. */
async function heavyCalls(baseUrl: string, calls: readonly Call[], over: AbortSignal) {
  const answers: Answers = { served: 0, busy: 0, failed: 0 };
  const connection = async (number: number) => {
    for (let made = 0; !over.aborted; made += 1) {
      const call = calls[(number + made) % calls.length]!;
      const response = await fetch(`${baseUrl}/api/v1/tools/execute`, {
        method: 'POST',
        headers: { 'X-Forwarded-For': `203.0.113.${number}` },
        body: formOf(call),
      });
      await response.arrayBuffer();
      const seconds = Number(response.headers.get('Retry-After'));
      if (response.ok) answers.served += 1;
      else if (response.status !== 503 || seconds === 0) answers.failed += 1;
      else {
        answers.busy += 1;
        await sleep(seconds * 1000, undefined, { signal: over }).catch(() => {});
      }
    }
  };
  await Promise.all(Array.from({ length: HEAVY }, (_, number) => connection(number)));
  return answers;
}

async function smallCalls(url: URL, folder: string): Promise<Answers & { p99: number }> {
  const script = join(folder, 'mixed.lua');
  writeFileSync(script, SCRIPT);
  const words = ['-t1', `-c${SMALL}`, `-d${SECONDS}s`, '--timeout', '30s', '-s', script, url.href];
  const child = spawn('wrk', words);
  let output = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  const [, numbers] = /^mixed (.*)$/m.exec(output) ?? [];
  if (!numbers) throw new Error(`wrk says: ${output}`);
  const [p99 = 0, served = 0, busy = 0, failed = 0] = numbers.split(' ').map(Number);
  return { p99, served, busy, failed };
}

const SCRIPT = `
local calls = {${SMALL_CALLS.map(({ method, path, body }) => `{"${method}", "${path}", [==[${body}]==]}`).join(',')}}
local thread
local headers = {["Content-Type"] = "application/json", ["Accept"] = "application/json, text/html"}
local count = 0
served, busy, failed = 0, 0, 0
function setup(one) thread = one end
function delay() return math.random(0, ${MAX_PAUSE_MS}) end
function request()
  count = count + 1
  local call = calls[count % #calls + 1]
  headers["X-Forwarded-For"] = "198.51.100." .. count % 250
  if call[1] == "GET" then return wrk.format("GET", call[2], headers) end
  return wrk.format(call[1], call[2], headers, call[3])
end
function response(status, received)
  if status < 400 then served = served + 1
  elseif status == 503 and (received["Retry-After"] or received["retry-after"]) then busy = busy + 1
  else failed = failed + 1 end
end
function done(summary, latency)
  local errors = summary.errors
  local broken = errors.connect + errors.read + errors.write + errors.timeout
  print(string.format("mixed %.1f %d %d %d", latency:percentile(99) / 1000,
    thread:get("served"), thread:get("busy"), thread:get("failed") + broken))
end
`;
