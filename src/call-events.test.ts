/** Tests that a call on any surface writes one event and is counted in the metrics. */
import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { applyMigrations } from '../test/support/apply-migrations.ts';
import { parsePrometheus, sampleValue } from '../test/support/prometheus.ts';
import { BLOBS, DOUBLES } from './adapters/call-sinks.ts';
import { handle } from './app.ts';
import { servicesOf } from './services.ts';

const TOKEN = 'a-token-of-the-operator';
const HOME = 'http://localhost:8787';
let points: AnalyticsEngineDataPoint[];
let isBroken = false;
const withEvents = {
  ...env,
  METRICS_TOKEN: TOKEN,
  CALLS: {
    writeDataPoint(point?: AnalyticsEngineDataPoint) {
      if (isBroken) throw new Error('the limit of data points is reached');
      points.push(point!);
    },
  },
};

beforeAll(() => applyMigrations(env));
beforeEach(() => {
  // With a random number of 0, every call is in the sample.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  points = [];
  isBroken = false;
});

function send(path: string, init: RequestInit<CfProperties> = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  if (!headers.has('CF-Connecting-IP')) headers.set('CF-Connecting-IP', '203.0.113.7');
  const request = new Request(HOME + path, { ...init, headers });
  return handle(request, withEvents, createExecutionContext());
}

const post = (path: string, body: unknown, headers: Record<string, string> = {}) => {
  const text = JSON.stringify(body);
  return send(path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': String(text.length),
      ...headers,
    },
    body: text,
  });
};

/** Returns the events that were written since the test began, as objects whose keys are the column names. */
const events = () =>
  points.map(({ blobs = [], doubles = [] }) => ({
    ...(Object.fromEntries(BLOBS.map((name, index) => [name, blobs[index]])) as Record<
      string,
      string
    >),
    ...(Object.fromEntries(DOUBLES.map((name, index) => [name, doubles[index]])) as Record<
      string,
      number
    >),
  }));

const encode = { tool: 'encode_base64', parameters: { text: 'abc' } };
const rpc = (name: string, given: unknown, meta = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: given, ...meta },
});
const MCP = { Accept: 'application/json, text/event-stream' };

describe('the event of a call', () => {
  it('contains only the listed fields for an anonymous call', async () => {
    await post('/api/v1/tools/execute', encode);
    await servicesOf(withEvents).flush();
    const { results } = await env.ACCOUNTS.prepare('SELECT * FROM usage_by_day').all();
    expect([points.length, results]).toEqual([1, []]);
  });

  it('contains the tool, the outcome and the transferred bytes', async () => {
    const response = await post('/api/v1/tools/execute', encode);
    const body = await response.text();
    expect(points[0]!.indexes).toEqual(['encode_base64']);
    expect(events()).toEqual([
      {
        tool: 'encode_base64',
        surface: 'rest',
        status: '200',
        code: '',
        caller: 'anonymous',
        provider: '',
        colo: '',
        requestId: response.headers.get('X-Request-Id'),
        bytesIn: JSON.stringify(encode).length,
        bytesOut: body.length,
        durationMs: expect.any(Number),
        mediaWaitMs: 0,
        mediaRunMs: 0,
        omitted: 9,
      },
    ]);
    expect(JSON.stringify(points)).not.toContain('203.0.113.7');
  });

  it('counts the bytes of a result in UTF-8 on every surface', async () => {
    const decode = { tool: 'decode_url', parameters: { encoded: '%C3%A9' } };
    const rest = await (await post('/api/v1/tools/execute', decode)).bytes();
    await post('/api/v1/tools/chain', { toolChain: [decode] });
    await post('/api/mcp', rpc('decode_url', decode.parameters), MCP);
    expect(
      events()
        .filter(({ tool }) => tool === 'decode_url')
        .map(({ surface, bytesOut }) => [surface, bytesOut]),
    ).toEqual(['rest', 'chain', 'mcp'].map((surface) => [surface, rest.byteLength]));
  });

  it.each([
    ['an unknown tool', { tool: 'secret', parameters: {} }, 'execution', 'tool_unknown'],
    ['wrong parameters', { tool: 'encode_base64', parameters: {} }, 'encode_base64', 'bad_request'],
  ])('records %s without the input', async (_, call, tool, code) => {
    await post('/api/v1/tools/execute', call);
    expect(events()).toMatchObject([{ tool, surface: 'rest', status: '400', code }]);
    expect(JSON.stringify(points)).not.toContain('secret');
  });

  it('records an invalid key as an anonymous caller', async () => {
    await post('/api/v1/tools/execute', encode, { Authorization: 'Bearer tsk_wrong' });
    expect(events()).toMatchObject([{ status: '401', code: 'invalid_key', caller: 'anonymous' }]);
  });

  it('over MCP contains the tool and its error status, although HTTP returns 200', async () => {
    await post('/api/mcp', rpc('encode_base64', { text: 'abc' }), MCP);
    const failed = await post('/api/mcp', rpc('encode_base64', { text: 5 }), MCP);
    expect(failed.status).toBe(200);
    await post('/api/mcp', rpc('no_such_tool', {}), MCP);
    await post('/api/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, MCP);
    expect(
      events().map(({ tool, surface, status, code }) => [tool, surface, status, code]),
    ).toEqual([
      ['encode_base64', 'mcp', '200', ''],
      ['encode_base64', 'mcp', '400', 'bad_request'],
      ['mcp', 'mcp', '400', 'bad_request'],
      ['mcp', 'mcp', '200', ''],
    ]);
  });

  it('over MCP with progress is written once, when the call ends', async () => {
    const meta = { _meta: { progressToken: 'p' } };
    for (const given of [{ text: 'abc' }, { text: 5 }]) {
      const response = await post('/api/mcp', rpc('encode_base64', given, meta), MCP);
      expect(response.headers.get('Content-Type')).toBe('text/event-stream');
      await response.text();
    }
    expect(events()).toMatchObject([
      { tool: 'encode_base64', surface: 'mcp', status: '200' },
      { tool: 'encode_base64', surface: 'mcp', status: '400' },
    ]);
  });

  it('is written for each message of a batch and for the batch itself', async () => {
    const batch = [rpc('encode_base64', { text: 'a' }), rpc('encode_base64', { text: 5 })];
    await post('/api/mcp', batch, MCP);
    expect(
      events()
        .map(({ tool, status }) => `${tool} ${status}`)
        .sort(),
    ).toEqual(['batch 200', 'encode_base64 200', 'encode_base64 400']);
  });

  it('is written for each step of a chain and for the chain itself', async () => {
    const toolChain = [encode, { tool: 'decode_base64', parameters: { encoded: '%%%' } }];
    await post('/api/v1/tools/chain', { toolChain });
    expect(events().map(({ tool, surface, status }) => [tool, surface, status])).toEqual([
      ['encode_base64', 'chain', '200'],
      ['decode_base64', 'chain', expect.stringMatching(/^4/)],
      ['chain', 'chain', '200'],
    ]);
  });

  it('of a site page has the surface “site” and no path', async () => {
    await send('/status');
    await send('/no/such/path', { headers: { Accept: 'text/html' } });
    expect(events()).toMatchObject([
      { tool: 'page', surface: 'site', status: '200' },
      { tool: 'page', surface: 'site', status: '404' },
    ]);
    expect(JSON.stringify(points)).not.toContain('such');
  });

  it('does not change the response when writing fails', async () => {
    isBroken = true;
    const response = await post('/api/v1/tools/execute', encode);
    expect([response.status, points]).toEqual([200, []]);
  });
});

describe('GET /metrics', () => {
  const metrics = async (headers: Record<string, string> = {}) => {
    const response = await send('/metrics', { headers });
    return { status: response.status, type: response.headers.get('Content-Type'), response };
  };
  const operator = { Authorization: `Bearer ${TOKEN}` };

  it('returns 404 to anyone but the operator', async () => {
    for (const headers of [
      undefined,
      { Authorization: 'Bearer wrong' },
      { Authorization: TOKEN },
    ]) {
      const { status, response } = await metrics(headers);
      expect([status, (await response.text()).includes('tools_calls_total')]).toEqual([404, false]);
    }
  });

  it('returns valid Prometheus text that counts calls per surface', async () => {
    const read = async () => parsePrometheus(await (await metrics(operator)).response.text());
    const before = await read();
    await post('/api/v1/tools/execute', encode);
    await post('/api/mcp', rpc('encode_base64', { text: 'abc' }), MCP);
    const after = await read();
    for (const surface of ['rest', 'mcp']) {
      const labels = { tool: 'encode_base64', surface, status: '200' };
      const name = 'tools_calls_total';
      expect(sampleValue(after, name, labels) - sampleValue(before, name, labels)).toBe(1);
    }
  });

  it('needs no token on the local machine', async () => {
    const { status, type } = await metrics({ 'CF-Connecting-IP': '127.0.0.1' });
    expect([status, type]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  });
});
