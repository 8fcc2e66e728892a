import { describe, expect, it } from 'vitest';
import { openRequests, releaseHeld } from '../support/model-server-address.ts';
import { baseUrl } from '../support/service.ts';
import { callOf, initialize, post, request } from './post.ts';

const hello = callOf('encode_base64', { text: 'hi' });

describe('the MCP protocol', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'negotiates %s with a client that asks for it',
    async (version) => {
      const { status, body } = await post(initialize(version));
      expect(status).toBe(200);
      expect(body).toMatchObject({
        jsonrpc: '2.0',
        id: 1,
        result: {
          protocolVersion: version,
          capabilities: { tools: { listChanged: false } },
          serverInfo: { name: 'tools', version: '2.1.1' },
        },
      });
    },
  );

  it('offers its newest version with sessions to a client of an unknown version', async () => {
    const { body } = await post(initialize('1999-01-01'));
    expect(body.result.protocolVersion).toBe('2025-11-25');
  });

  it('serves a client of 2024-11-05 for its whole session', async () => {
    const { body } = await post(initialize('2024-11-05'), {
      headers: { Accept: 'application/json' },
    });
    expect(body.result.protocolVersion).toBe('2024-11-05');
    const noted = await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([noted.status, noted.body]).toEqual([202, '']);
    expect((await post(request('ping'))).body).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    const listed = await post(request('tools/list'));
    expect(listed.body.result.tools.length).toBeGreaterThan(10);
    expect((await post(hello)).body.result.content).toEqual([
      { type: 'text', text: '{"encoded":"aGk="}' },
    ]);
  });

  it.each([
    ['none', {}],
    ['*/*', { Accept: '*/*' }],
    ['application/json', { Accept: 'application/json' }],
    ['text/event-stream', { Accept: 'text/event-stream' }],
    ['both', { Accept: 'application/json, text/event-stream' }],
  ])('returns JSON for any Accept header: %s', async (_, headers) => {
    for (const message of [hello, initialize('2025-06-18'), request('tools/list')]) {
      const { status, headers: answered } = await post(message, { headers });
      expect(status).toBe(200);
      expect(answered.get('Content-Type')).toBe('application/json');
    }
  });

  it('creates no session and sends CORS headers with every response', async () => {
    const origin = { Origin: 'https://example.com' };
    for (const message of [hello, request('tools/list'), '{', { jsonrpc: '2.0', method: 'x' }]) {
      const { headers } = await post(message, { headers: origin });
      expect(headers.get('Mcp-Session-Id')).toBe(null);
      expect(headers.get('Access-Control-Allow-Origin')).toBe('https://example.com');
    }
    const preflight = await fetch(`${baseUrl}/api/mcp`, {
      method: 'OPTIONS',
      headers: {
        ...origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type, mcp-protocol-version, authorization',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('Access-Control-Allow-Headers')).toContain('mcp-protocol-version');
  });

  it.each([
    ['a body that is not JSON', '{"a"', 400, -32700],
    ['an empty body', '', 400, -32700],
    ['a body that is not JSON-RPC', { hello: 1 }, 400, -32600],
    ['params that are not an object', { ...request('tools/list'), params: [1] }, 400, -32600],
    ['a null id', { ...request('ping'), id: null }, 400, -32600],
    ['an empty batch', [], 400, -32600],
    ['a batch of 31 requests', Array.from({ length: 31 }, () => request('ping')), 400, -32600],
    ['an unknown method', request('prompts/list'), 200, -32601],
    ['an unknown tool', callOf('encode_base65'), 200, -32602],
    ['a call without a name', request('tools/call', {}), 200, -32602],
    ['arguments that are not an object', callOf('encode_base64', 'hi'), 200, -32602],
    ['tools/list with a cursor', request('tools/list', { cursor: 'x' }), 200, -32602],
    ['a body nested too deeply', '['.repeat(5000), 400, -32700],
    ['a body with too many values', `[${'{},'.repeat(200_000)}{}]`, 413, -32600],
  ])('refuses %s', async (_, message, status, code) => {
    const answer = await post(message);
    expect([answer.status, answer.body.error?.code]).toEqual([status, code]);
    expect(answer.body.error.message).not.toMatch(/\n\s+at |node_modules|\.ts\b/);
  });

  it('refuses other media types and bodies over 8 MiB', async () => {
    const typed = await post(hello, { headers: { 'Content-Type': 'text/plain' } });
    expect([typed.status, typed.body.error.code]).toEqual([415, -32600]);
    const large = await post(callOf('encode_base64', { text: 'a'.repeat(9 * 2 ** 20) }));
    expect([large.status, large.body.error.code]).toEqual([413, -32600]);
    const allowed = await post(callOf('encode_base64', { text: 'a'.repeat(5 * 2 ** 20) }));
    expect(allowed.body.result.structuredContent.truncated).toBe(true);
  });

  it('answers each item of a batch separately, except notifications', async () => {
    const { status, body } = await post([
      callOf('encode_base64', { text: 'hi' }, 'a'),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      5,
      callOf('none', {}, 'b'),
      callOf('encode_base64', {}, 'c'),
      request('ping', {}, 'a'),
    ]);
    expect(status).toBe(200);
    expect(body).toMatchObject([
      { id: 'a', result: { structuredContent: { encoded: 'aGk=' } } },
      { id: null, error: { code: -32600 } },
      { id: 'b', error: { code: -32602 } },
      { id: 'c', result: { isError: true } },
      { id: 'a', result: {} },
    ]);
  });

  it('runs the calls of a batch concurrently and answers them in order', async () => {
    const mark = crypto.randomUUID();
    const email = (id: number) =>
      callOf('draft_email', { prompt: `behave:held ${mark} ${id}` }, id);
    const requested = Array.from({ length: 12 }, (_, id) => email(id));
    const answered = post([...requested, callOf('encode_base64', { text: 'hi' }, 'last')]);
    await expect.poll(() => openRequests(mark)).toBe(6);
    // A seventh concurrent call would reach the model before this call ends.
    await post(callOf('encode_base64', { text: 'meanwhile' }));
    expect(await openRequests(mark)).toBe(6);
    await releaseHeld(mark);
    const { body } = await answered;
    expect(body.map(({ id }: { id: unknown }) => id)).toEqual([
      ...requested.map(({ id }) => id),
      'last',
    ]);
  });

  it('sends no response to client responses and notifications', async () => {
    const answers = [
      await post({ jsonrpc: '2.0', id: 9, result: {} }),
      await post([{ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }]),
    ];
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [202, ''],
      [202, ''],
    ]);
  });

  it('returns 405 with an explanation for GET, and 405 for DELETE', async () => {
    for (const path of ['/api/mcp', '/api/mcp/dev']) {
      const got = await fetch(baseUrl + path);
      expect([got.status, got.headers.get('Allow')]).toEqual([405, 'POST, OPTIONS']);
      expect(await got.json()).toMatchObject({ error: expect.stringContaining(baseUrl + path) });
    }
    expect((await fetch(`${baseUrl}/api/mcp`, { method: 'DELETE' })).status).toBe(405);
  });

  it.each([
    ['null', 403],
    ['nonsense', 403],
    ['http://evil.example', 403],
    ['http://127.0.0.1.evil.example', 403],
    ['https://evil.example', 403],
    ['https://claude.ai', 200],
    ['http://localhost:6274', 200],
    ['http://127.0.0.1:3000', 200],
    ['vscode-webview://abc', 200],
    [baseUrl, 200],
  ])('handles pages of the origin %s with %d', async (origin, status) => {
    expect((await post(hello, { headers: { Origin: origin } })).status).toBe(status);
  });

  it('refuses a tool outside its domain, and returns 404 for an unknown domain', async () => {
    const outside = await post(hello, { domain: 'documents' });
    expect([outside.status, outside.body.error.code]).toEqual([200, -32602]);
    expect(outside.body.error.message).toContain('/api/mcp');
    const unknown = await post(hello, { domain: 'nothing' });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'not_found']);
    expect((await fetch(`${baseUrl}/api/mcp/nothing`)).status).toBe(404);
    const slash = await fetch(`${baseUrl}/api/mcp/`, { method: 'POST', body: '{}' });
    expect(slash.status).toBe(404);
    expect(await slash.json()).toMatchObject({ error: expect.stringContaining('is /api/mcp,') });
  });

  it('returns 401 and -32001 for a bad key, without referring clients to OAuth', async () => {
    const answer = await post(request('tools/list', undefined, 'mine'), {
      headers: { Authorization: 'Bearer tsk_wrong' },
    });
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({
      id: 'mine',
      error: { code: -32001, data: { code: 'invalid_key' } },
    });
    expect(answer.headers.get('WWW-Authenticate')).toBe(null);
  });

  it.each([
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/api/mcp',
    '/.well-known/oauth-authorization-server',
    '/.well-known/openid-configuration',
    '/api/mcp/.well-known/openid-configuration',
  ])('returns 404 in JSON for %s', async (path) => {
    const response = await fetch(baseUrl + path, { headers: { Accept: 'text/html' } });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'not_found' });
  });
});

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
};

const modern = (method: string, params: Record<string, unknown> = {}, name?: string) =>
  post(request(method, { ...params, _meta: META }), {
    headers: {
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      ...(name !== undefined && { 'Mcp-Name': name }),
    },
  });

describe('the stateless protocol 2026-07-28', () => {
  it('supports discovery, lists with a cache hint of one hour, and tool calls', async () => {
    const { body } = await modern('server/discover');
    expect(body.result.supportedVersions).toEqual(['2026-07-28']);
    const listed = await modern('tools/list');
    expect(listed.body.result).toMatchObject({
      resultType: 'complete',
      ttlMs: 3_600_000,
      cacheScope: 'public',
      _meta: { 'io.modelcontextprotocol/serverInfo': { version: '2.1.1' } },
    });
    const called = await modern(
      'tools/call',
      { name: 'encode_base64', arguments: { text: 'hi' } },
      'encode_base64',
    );
    expect(called.body.result).toMatchObject({
      resultType: 'complete',
      structuredContent: { encoded: 'aGk=' },
    });
  });

  it('returns the same list with minimal metadata and with that of the SDK', async () => {
    const short = await modern('tools/list');
    const long = await post(
      request('tools/list', { _meta: { ...META, traceparent: '00-1', extra: 1 } }),
      { headers: { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' } },
    );
    expect(long.body.result).toEqual(short.body.result);
  });

  it('reports what is wrong with a malformed call', async () => {
    const { status, body } = await modern(
      'tools/call',
      { name: 'encode_base64', arguments: '{}' },
      'encode_base64',
    );
    expect([status, body.error.code]).toEqual([200, -32602]);
    expect(body.error.message).toMatch(/"params.arguments" must be an object/);
  });

  it('refuses ping, batches and requests without its headers', async () => {
    expect((await modern('ping')).body.error.code).toBe(-32601);
    const batch = await post([request('tools/list', { _meta: META })]);
    expect([batch.status, batch.body.error.code]).toEqual([400, -32600]);
    const bare = await post(request('tools/list', { _meta: META }));
    expect([bare.status, bare.body.error.code]).toEqual([400, -32020]);
  });

  it('completes a subscription immediately, because the list never changes', async () => {
    const { body } = await modern('subscriptions/listen', {
      notifications: { toolsListChanged: true },
    });
    expect(body).toContain('"resultType":"complete"');
  });
});
