/**
 * Checks that a caller who has reached a limit cannot evade it with spoofed headers or a different spelling of the
 * path.
 */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startService, stopService } from '../support/global-setup.ts';
import { baseUrl as unlimited } from '../support/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'tools-spoofed-'));
const EXECUTE = '/api/v1/tools/execute';
const BODY = JSON.stringify({ tool: 'encode_base64', parameters: { text: 'a' } });
const OTHER = '203.0.113.77';
let service: { child: ChildProcess; baseUrl: string };

beforeAll(async () => {
  service = await startService({ STATE_DIR: folder, RATE_LIMITS: 'on' });
  let status = 200;
  for (let calls = 0; calls <= 35 && status === 200; calls += 1) status = await execute();
  expect(status).toBe(429);
});
afterAll(async () => {
  await stopService(service.child);
  rmSync(folder, { recursive: true, force: true });
});

/** Makes a call and returns the status. Uses `http`, because fetch would normalize the path. */
function execute(headers: Record<string, string> = {}, path = EXECUTE): Promise<number> {
  const { port } = new URL(service.baseUrl);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const request = http.request({
    hostname: '127.0.0.1',
    port,
    path,
    method: 'POST',
    agent: false,
    headers: { 'Content-Type': 'application/json', 'Content-Length': BODY.length, ...headers },
  });
  request.on('error', reject);
  request.on('response', (response) => {
    response.resume();
    response.on('end', () => resolve(response.statusCode ?? 0));
  });
  request.end(BODY);
  return promise;
}

it.each<Record<string, string>>([
  { 'CF-Connecting-IP': OTHER },
  { 'cf-connecting-ip': `${OTHER}, 127.0.0.1` },
  { 'CF-Connecting-IPv6': '2001:db8::7' },
  { 'CF-Pseudo-IPv4': OTHER },
  { 'True-Client-IP': OTHER },
  { 'X-Forwarded-For': OTHER },
  { 'X-Forwarded-For': `${OTHER}, 203.0.113.78`, 'X-Forwarded-Host': 'localhost' },
  { Forwarded: `for=${OTHER};host=localhost;proto=https` },
  { 'X-Real-IP': OTHER },
  { 'X-Client-IP': OTHER },
  { 'X-Cluster-Client-IP': OTHER },
  { 'X-Originating-IP': OTHER },
  { 'X-Original-URL': '/health', 'X-Rewrite-URL': '/health' },
  { 'X-HTTP-Method-Override': 'GET' },
  { Connection: 'cf-connecting-ip' },
])('the headers %j do not change the limit of a caller', async (headers) => {
  expect(await execute(headers)).toBe(429);
});

it.each([
  `${EXECUTE}?a=1`,
  `${EXECUTE}/`,
  `/${EXECUTE}`,
  '/api/v1/tools/./execute',
  '/api/v1/tools/other/../execute',
  '/api/v1/tools/%65xecute',
  '/api/v1/tools/execute;a=b',
  '/api/v1/tools/execute%2f',
  '/API/v1/tools/execute',
  '/api/v1/tools/encode_base64',
  `http://localhost${EXECUTE}`,
])('the path %s does not bypass the limit', async (path) => {
  expect([404, 405, 429]).toContain(await execute({}, path));
});

it('an address that a caller states is ignored without a trusted proxy, and RATE_LIMITS=off counts nothing', async () => {
  const call = async (baseUrl: string, address: string) => {
    const headers = { 'CF-Connecting-IP': address, 'X-Forwarded-For': address };
    const response = await fetch(`${baseUrl}/api/v1/tools`, { headers });
    return response.headers.get('X-RateLimit-Remaining');
  };
  expect(await call(service.baseUrl, '192.0.2.1')).toBe('139');
  expect(await call(service.baseUrl, '192.0.2.2')).toBe('138');
  expect(await call(unlimited, '192.0.2.1')).toBe(null);
});
