/** Checks the responses to malformed MCP requests. */
import { describe, expect, it } from 'vitest';
import { callOf, post, request } from './post.ts';

const tooMany = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`k${index}`, 1]));

describe('a malformed request', () => {
  it.each([
    ['too many params', request('ping', tooMany), 'params', /more than 1000 fields/],
    [
      'too many _meta fields',
      request('tools/call', { name: 'encode_base64', _meta: tooMany }),
      '_meta',
      /"params._meta" has more than 1000 fields/,
    ],
    [
      'too many arguments',
      callOf('encode_base64', tooMany),
      'arguments',
      /"params.arguments" has more than 1000 fields/,
    ],
    ['no params', request('tools/call'), 'name', /"params.name" is missing/],
    ['null params', { ...request('tools/call'), params: null }, 'name', /is missing/],
    ['a numeric tool name', callOf(5), 'name', /"params.name" must be a string/],
    [
      'arguments as a string',
      callOf('encode_base64', '{"text":"hi"}'),
      'arguments',
      /must be an object .* not a string\. Send the JSON itself/,
    ],
    ['arguments as an array', callOf('encode_base64', ['hi']), 'arguments', /not an array/],
    ['initialize without params', request('initialize'), 'protocolVersion', /such as "2025-06-18"/],
    [
      'initialize with a numeric version',
      request('initialize', { protocolVersion: 5, capabilities: {}, clientInfo: {} }),
      'protocolVersion',
      /must be the client's protocol version/,
    ],
    [
      'initialize with capabilities as an array',
      request('initialize', { protocolVersion: '2025-06-18', capabilities: [] }),
      'capabilities',
      /must be an object/,
    ],
    [
      'initialize with a numeric client name',
      request('initialize', { protocolVersion: '2025-06-18', clientInfo: { name: 5 } }),
      'clientInfo',
      /"name" and "version"/,
    ],
    ['tools/list with a cursor', request('tools/list', { cursor: 5 }), 'cursor', /omit "cursor"/],
    ['ping with a numeric _meta', request('ping', { _meta: 5 }), '_meta', /must be an object/],
    [
      'an object as progressToken',
      request('tools/call', { name: 'encode_base64', _meta: { progressToken: {} } }),
      '_meta',
      /progressToken/,
    ],
    [
      'a progressToken that is no exact integer',
      request('tools/call', { name: 'encode_base64', _meta: { progressToken: 1e300 } }),
      '_meta',
      /progressToken/,
    ],
    [
      'a progressToken of 1,001 characters',
      request('tools/call', {
        name: 'encode_base64',
        _meta: { progressToken: 'x'.repeat(1001) },
      }),
      '_meta',
      /"params._meta.progressToken" is limited to 1000 characters/,
    ],
  ])(
    'reports what is wrong with %s in one sentence with the request id',
    async (_, message, param, said) => {
      for (const version of ['', '2025-06-18', '2025-11-25']) {
        const { status, body, headers } = await post(message, {
          headers: version ? { 'MCP-Protocol-Version': version } : {},
        });
        expect([status, body.id, body.error.code]).toEqual([200, 1, -32602]);
        expect(body.error.message).toMatch(said);
        expect(body.error.message).not.toMatch(/\n|invalid_type|expected/);
        expect(body.error.data).toMatchObject({
          code: 'bad_request',
          param,
          requestId: headers.get('X-Request-Id'),
        });
      }
    },
  );

  it('initializes a client that sends only its protocol version', async () => {
    for (const more of [
      {},
      { capabilities: null, clientInfo: null },
      { clientInfo: { name: 'a' } },
    ]) {
      const { status, body } = await post(
        request('initialize', { protocolVersion: '2024-11-05', ...more }),
      );
      expect([status, body.result?.protocolVersion]).toEqual([200, '2024-11-05']);
      expect(body.result.serverInfo.version).toBe('2.1.1');
    }
  });

  it('is refused for more than 100 fields', async () => {
    const { body } = await post({ ...callOf('encode_base64', { text: 'hi' }), ...tooMany });
    expect(body.error).toMatchObject({
      code: -32600,
      message: expect.stringContaining('at most 100 fields'),
    });
  });

  it('treats null arguments as missing', async () => {
    const { body } = await post(callOf('encode_base64', null));
    expect(body.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('"text" is missing') }],
    });
  });

  it.each(['2099-01-01', '1999-01-01', 'x'])(
    'lists the supported versions to a client of version %s',
    async (version) => {
      const headers = { 'MCP-Protocol-Version': version };
      const { status, body } = await post(request('ping'), { headers });
      expect([status, body.id, body.error.code]).toEqual([400, 1, -32602]);
      expect(body.error.message).toContain(
        `"${version}" is not supported. Supported: 2024-11-05, 2025-03-26`,
      );
    },
  );

  it('is refused if its id is no exact integer', async () => {
    for (const id of [1e300, 2 ** 53, 1.5, true, null]) {
      const { status, body } = await post({ ...request('ping'), id });
      expect([status, body.id, body.error.code]).toEqual([400, null, -32600]);
      expect(body.error.message).toContain('"id" must be a string or an integer');
    }
  });

  it.each([
    ['resources/read', undefined, 'uri', '"params.uri" is missing'],
    ['resources/read', { uri: 5 }, 'uri', '"params.uri" must be a string'],
    ['tasks/get', {}, 'taskId', '"params.taskId" is missing'],
  ])('is told which param of %s is wrong: %j', async (method, params, param, said) => {
    const headers = { 'MCP-Protocol-Version': '2026-07-28' };
    const options = { path: '/api/agent/mcp', headers };
    const { status, body } = await post(request(method, params), options);
    expect([status, body.id, body.error.code, body.error.data.param]).toEqual([
      200,
      1,
      -32602,
      param,
    ]);
    expect(body.error.message).toContain(said);
    // The other endpoints do not have this method.
    expect((await post(request(method, params))).body.error.code).toBe(-32601);
  });
});
