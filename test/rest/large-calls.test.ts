/**
 * Checks fairness between callers: if one caller makes many large calls, another caller's small call does not wait for
 * all of them.
 */
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { REPEATS } from '../support/patience.ts';
import { baseUrl } from '../support/service.ts';

const LARGE_CALLS = 20;

/** Sends a request on a new connection. Returns the status and the text of the response. */
function post(path: string, body: unknown): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const text = JSON.stringify(body);
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'Content-Length': Buffer.byteLength(text),
  };
  const request = http.request(baseUrl + path, { method: 'POST', headers, agent: false });
  request.on('error', reject);
  request.on('response', (response) => {
    const parts: Buffer[] = [];
    response.on('data', (part) => parts.push(part));
    response.on('error', reject);
    response.on('end', () =>
      resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }),
    );
  });
  request.end(text);
  return promise;
}

/** Repeats a call that gets a 503 because it has waited too long in the queue, which happens on slow machines. */
async function postUntilServed(path: string, body: unknown) {
  for (let repeats = 0; ; repeats += 1) {
    const answer = await post(path, body);
    if (answer.status !== 503 || repeats === REPEATS.most) return answer;
    await sleep(REPEATS.seconds * 1000);
  }
}

const execute = (tool: string, parameters: unknown) => ({
  path: '/api/v1/tools/execute',
  body: { tool, parameters },
});

const callTool = (name: string, given: unknown) => ({
  path: '/api/mcp',
  body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } },
});

const chain = (...toolChain: unknown[]) => ({ path: '/api/v1/tools/chain', body: { toolChain } });

const small = execute('encode_base64', { text: 'hello' });
const nested = { json: '['.repeat(500) + ']'.repeat(500), indent: 10 };
/** Several concurrent calls of this size exceed the memory limit of a single caller. */
const url = 'ü'.repeat(400_000);

const LARGE: Record<string, { path: string; body: unknown }> = {
  'with a large body': execute('encode_url', { url }),
  'with a small body and a large result': execute('format_json', {
    ...nested,
    json: '['.repeat(900) + ']'.repeat(900),
  }),
  'with a small body and an expensive operation': execute('generate_qr_code', {
    text: 'a'.repeat(2000),
  }),
  'over MCP': callTool('encode_url', { url }),
  'over MCP, with a small body and a large result': callTool('format_json', nested),
  'in chains': chain(
    { tool: 'encode_base64', parameters: { text: 'a'.repeat(20_000) } },
    { tool: 'encode_base64', parameters: { text: '{{prev.encoded}}'.repeat(40) } },
    { tool: 'decode_base64' },
    { tool: 'encode_url', parameters: { url: '{{prev.decoded}}' } },
  ),
};

describe('concurrent large calls', () => {
  it.each(Object.entries(LARGE))('%s do not block a small call', async (_, { path, body }) => {
    const statuses: number[] = [];
    const large = Array.from({ length: LARGE_CALLS }, () =>
      postUntilServed(path, body).then(({ status }) => statuses.push(status)),
    );
    // All calls have been sent when the first response arrives.
    await Promise.race(large);
    const before = statuses.length;
    const answer = await post(small.path, small.body);
    const meanwhile = statuses.length - before;
    expect(answer.text).toBe('{"encoded":"aGVsbG8="}');
    expect(meanwhile).toBeLessThan(LARGE_CALLS / 2);
    await Promise.all(large);
    expect(statuses).toEqual(Array(LARGE_CALLS).fill(200));
  });

  it('do not wait for a caller that sends a large body slowly', async () => {
    const slow = http.request(`${baseUrl}/api/v1/tools/execute`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Content-Length': 2_000_000 },
      agent: false,
    });
    slow.on('error', () => {});
    slow.write(' '.repeat(1_000_000));
    const large = execute('encode_url', { url });
    const answers = await Promise.all([1, 2, 3].map(() => postUntilServed(large.path, large.body)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    slow.destroy();
  });

  it('are refused for an object of more than 1,000 fields before the fields are checked', async () => {
    const fields = Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`field${i}`, 1]));
    const inParameters = execute('encode_base64', { text: 'a', ...fields });
    for (const body of [inParameters.body, { ...small.body, ...fields }]) {
      const { status, text } = await post(small.path, body);
      expect(status).toBe(400);
      expect(text).toContain('more than 1000 fields');
    }
  });
});
