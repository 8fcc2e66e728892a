/**
 * Tests failures of Browser Run: captures return 503 on each surface, other tools work, and each new capture calls
 * Browser Run again.
 */
import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { applyMigrations } from '../test/support/apply-migrations.ts';
import { handle } from './app.ts';

const FAULTS: Record<string, (path: string) => Response> = {
  'does not answer': () => {
    throw new Error('Network connection lost.');
  },
  'has no browser left': () => new Response('Too many browsers', { status: 429 }),
  'loses the connection to a new browser': (path) => {
    if (!path.includes('/devtools/')) return Response.json({ sessionId: 'a' });
    const { 0: client, 1: server } = new WebSocketPair();
    server.accept();
    server.addEventListener('message', () => server.close(1011));
    return new Response(null, { status: 101, webSocket: client });
  },
};

beforeEach(async () => {
  await applyMigrations(env);
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterEach(() => vi.restoreAllMocks());

describe.each(Object.entries(FAULTS))('while Browser Run %s', (fault, answer) => {
  let requests = 0;
  const binding = {
    fetch: async (input: string | Request) => {
      requests += 1;
      return answer(new URL(input instanceof Request ? input.url : input).pathname);
    },
  };
  const bindings = { ...env, BROWSER: binding as never };
  const send = (path: string, body: object) =>
    handle(
      new Request(`http://localhost:8787${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          'CF-Connecting-IP': '198.51.100.7',
        },
      }),
      bindings,
      createExecutionContext(),
    );
  const step = { tool: 'screenshot_url', parameters: { url: `https://a.example/${fault.length}` } };
  const capture = () => send('/api/v1/tools/execute', step);

  it('REST returns 503 with Retry-After and requests a new browser for each call', async () => {
    for (const before of [0, requests + 1]) {
      const response = await capture();
      expect(response.status).toBe(503);
      expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0);
      expect(await response.json()).toMatchObject({ code: 'internal' });
      expect(requests).toBeGreaterThan(before);
    }
  });

  it('MCP and a chain return the same error', async () => {
    const params = { name: step.tool, arguments: step.parameters };
    const call = await send('/api/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const { result } = await call.json<{
      result: { isError: boolean; content: [{ text: string }] };
    }>();
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toMatch(/Try again in \d+ seconds\.$/);
    const chain = await send('/api/v1/tools/chain', { toolChain: [step] });
    const { results } = await chain.json<{ results: { error: { status: number } }[] }>();
    expect(results[0]!.error.status).toBe(503);
  });

  it('other tools work', async () => {
    const encode = { tool: 'encode_base64', parameters: { text: 'a' } };
    expect((await send('/api/v1/tools/execute', encode)).status).toBe(200);
  });
});
