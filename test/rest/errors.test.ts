import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { baseUrl, body, execute } from '../support/service.ts';
import { type Answer, send } from './raw-request.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const sendJson = (text: string | Uint8Array, headers: Record<string, string> = {}) =>
  send({ headers: { ...JSON_TYPE, ...headers }, pieces: [text] });

function expectError(answer: Answer, status: number, code: string, message: RegExp): void {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.json).toMatchObject({ code, error: expect.stringMatching(message) });
  expect(answer.json.requestId).toBe(answer.headers['x-request-id']);
}

const ENDPOINTS = {
  '/api/v1/tools': 'GET, HEAD, OPTIONS',
  '/api/v1/tools/execute': 'POST, OPTIONS',
  '/api/v1/openapi.json': 'GET, HEAD, OPTIONS',
  '/files/0htivpTABmKubowD3lCyDv46xli5/a.txt': 'GET, DELETE, HEAD, OPTIONS',
  '/health': 'GET, HEAD, OPTIONS',
};

describe('a call of an unknown tool', () => {
  it('returns 400 tool_unknown and says where the tools are listed', async () => {
    const answer = await sendJson('{"tool":"nothing_like_it"}');
    expectError(answer, 400, 'tool_unknown', /GET \/api\/v1\/tools/);
    expect(answer.json.param).toBe('tool');
  });

  it('suggests the closest tool name', async () => {
    for (const name of ['mergePDF', 'merge-pdf', 'MERGE_PDF', 'merge pdfs please']) {
      const answer = await sendJson(JSON.stringify({ tool: name }));
      expectError(answer, 400, 'tool_unknown', /./);
    }
    expectError(await sendJson('{"tool":"mergePdf"}'), 400, 'tool_unknown', /mean merge_pdf\?/);
    expectError(await sendJson('{"tool":"split"}'), 400, 'tool_unknown', /split_pdf/);
  });

  it('returns 400 for names of Object.prototype', async () => {
    for (const tool of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype']) {
      const answer = await sendJson(JSON.stringify({ tool, parameters: { text: 'a' } }));
      expectError(answer, 400, 'tool_unknown', /There is no tool/);
    }
  });

  it('returns 400 if the name is missing or not a string', async () => {
    for (const call of ['{}', '{"tool":null}', '{"tool":""}', '{"parameters":{}}']) {
      expectError(await sendJson(call), 400, 'bad_request', /"tool" is missing/);
    }
    for (const call of ['{"tool":5}', '{"tool":["merge_pdf"]}', '{"tool":{}}', '{"tool":true}']) {
      expectError(await sendJson(call), 400, 'bad_request', /"tool" must be a string/);
    }
  });

  it('shortens a long name and replaces malformed Unicode', async () => {
    const answer = await sendJson(`{"tool":"${'x'.repeat(100_000)}"}`);
    expectError(answer, 400, 'tool_unknown', /There is no tool "x{60}"/);
    expectError(
      await sendJson('{"tool":"\\ud800\\u0000"}'),
      400,
      'tool_unknown',
      /There is no tool/,
    );
  });

  it('returns 501 tool_unsupported if the tool runs only in the browser', async () => {
    const answer = await sendJson('{"tool":"hash_text","parameters":{"text":"a"}}');
    expectError(answer, 501, 'tool_unsupported', /\/tools\/hash_text/);
    expect((await sendJson('{"tool":"hash_text","parameters":{"nonsense":1}}')).status).toBe(501);
  });
});

describe('a malformed request body', () => {
  it('returns 400 with the position if it is not JSON', async () => {
    for (const text of [
      '{',
      'hello',
      '{"tool":"encode_base64",}',
      "{'tool':'a'}",
      '{"tool":NaN}',
      'null x',
    ]) {
      expectError(await sendJson(text), 400, 'bad_request', /^The body is not valid JSON: .*JSON/);
    }
  });

  it('returns 400 if it is empty or blank', async () => {
    for (const text of ['', ' ', '\n\t ']) {
      expectError(await sendJson(text), 400, 'bad_request', /^The body is empty/);
    }
    const answer = await sendJson('', { 'Content-Length': '0' });
    expectError(answer, 400, 'bad_request', /^The body is empty/);
  });

  it('returns 400 if it is JSON but not an object', async () => {
    for (const text of ['[]', '"tool"', '5', 'null', 'true', '[{"tool":"encode_base64"}]']) {
      expectError(await sendJson(text), 400, 'bad_request', /must be a JSON object/);
    }
  });

  it('returns 400 naming `parameters` if they are not an object', async () => {
    for (const parameters of ['[]', '"{}"', '5', 'true']) {
      const answer = await sendJson(`{"tool":"encode_base64","parameters":${parameters}}`);
      expectError(answer, 400, 'bad_request', /"parameters" must be an object/);
      expect(answer.json.param).toBe('parameters');
    }
  });

  it('returns 415 for another Content-Type, and names the right one', async () => {
    const call = '{"tool":"encode_base64","parameters":{"text":"a"}}';
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/xml',
      'nonsense',
      ';',
    ]) {
      const answer = await sendJson(call, { 'Content-Type': type });
      expectError(
        answer,
        415,
        'bad_request',
        /With curl: -F file=@NAME for a file, or -H 'Content-Type: application\/json'\.$/,
      );
    }
    expectError(await send({ pieces: [call] }), 415, 'bad_request', /Content-Type is missing/);
  });

  it('is read under application/json in any case, with parameters, and under +json', async () => {
    const call = '{"tool":"encode_base64","parameters":{"text":"a"}}';
    for (const type of [
      'APPLICATION/JSON',
      'application/json; charset=utf-8',
      'application/vnd.api+json',
    ]) {
      expect((await sendJson(call, { 'Content-Type': type })).json).toEqual({ encoded: 'YQ==' });
    }
  });

  it('returns 400 if it is not UTF-8', async () => {
    for (const bytes of [
      [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00],
      [0x7b, 0x22, 0xe4, 0x22, 0x3a, 0x31, 0x7d],
      [0xc0, 0x80],
    ]) {
      expectError(await sendJson(Uint8Array.from(bytes)), 400, 'bad_request', /not valid UTF-8/);
    }
  });

  it('may start with a byte-order mark', async () => {
    const answer = await sendJson('\ufeff{"tool":"encode_base64","parameters":{"text":"a"}}');
    expect(answer.json).toEqual({ encoded: 'YQ==' });
  });

  it('returns 400 if it nests too deeply, whether its brackets are closed or not', async () => {
    for (const text of [
      '['.repeat(1_000_000),
      `${'['.repeat(500_000)}${']'.repeat(500_000)}`,
      `{"tool":"encode_base64","parameters":${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}}`,
    ]) {
      expectError(await sendJson(text), 400, 'bad_request', /is nested deeper than 1000 levels/);
    }
  });

  it('returns 413 for more than 200,000 values without building them', async () => {
    for (const item of ['{}', '0', '[]', '{"a":1}']) {
      const text = `{"tool":"encode_base64","parameters":{"text":"a"},"more":[${Array(200_000).fill(item).join(',')}]}`;
      expectError(await sendJson(text), 413, 'bad_request', /more than 200,000 JSON values/);
    }
    const inString = JSON.stringify({
      tool: 'encode_base64',
      parameters: { text: '[{},'.repeat(2e5) },
    });
    expect((await sendJson(inString)).status).toBe(200);
  });

  it('returns 413 for a Content-Length over 8 MB before the body is sent', async () => {
    const headers = { ...JSON_TYPE, 'Content-Length': String(8 * 2 ** 20 + 1) };
    const answer = await send({ headers, endless: true });
    expectError(answer, 413, 'bad_request', /larger than the 8 MB/);
  });

  it('returns 413 for more than 8 MB in chunks, and accepts exactly 8 MB', async () => {
    const call = (size: number) => {
      const [before, after] = ['{"tool":"encode_base64","parameters":{"text":"', '"}}'];
      return before + 'x'.repeat(size - before.length - after.length) + after;
    };
    expectError(await sendJson(call(8 * 2 ** 20 + 1)), 413, 'bad_request', /larger than the 8 MB/);
    const headersOfBoth: Record<string, string>[] = [{}, { 'Content-Length': String(8 * 2 ** 20) }];
    for (const headers of headersOfBoth) {
      expect((await sendJson(call(8 * 2 ** 20), headers)).status).toBe(200);
    }
  });

  it('gets its error response while the client is still sending', async () => {
    const chunk = new Uint8Array(2 ** 20);
    const pieces = Array.from({ length: 20 }, () => chunk);
    const statuses = await Promise.all(
      [400, 413, 404, 415].flatMap((status) => {
        const path = status === 404 ? '/api/v1/nothing' : undefined;
        const type = status === 415 ? 'text/plain' : 'application/json';
        const length = status === 400 ? undefined : '20971520';
        const headers: Record<string, string> = { 'Content-Type': type };
        if (length) headers['Content-Length'] = length;
        return [1, 2, 3].map(async () => (await send({ path, headers, pieces })).status);
      }),
    );
    expect(statuses).toEqual([413, 413, 413, 413, 413, 413, 404, 404, 404, 415, 415, 415]);
  });
});

describe('an error', () => {
  it('is JSON with `error`, `code` and `requestId`', async () => {
    const response = await execute('nothing');
    expect(response.headers.get('Content-Type')).toBe('application/json');
    const { error, code, requestId, ...others } = await body(response);
    expect(typeof error).toBe('string');
    expect(code).toBe('tool_unknown');
    expect(requestId).toMatch(/^[\da-f]{16}-[\da-z]+$/);
    expect(others).toEqual({ param: 'tool' });
  });

  it('is an RFC 9457 problem if the client asks for it', async () => {
    for (const accept of [
      'application/problem+json',
      'text/html, application/problem+json;q=0.9',
    ]) {
      const response = await execute('nothing', {}, { Accept: accept });
      expect(response.headers.get('Content-Type')).toBe('application/problem+json');
      expect(await body(response)).toEqual({
        type: 'about:blank',
        title: 'Bad Request',
        status: 400,
        detail: expect.stringContaining('There is no tool'),
        code: 'tool_unknown',
        param: 'tool',
        requestId: response.headers.get('X-Request-Id'),
      });
    }
  });

  it('is a problem for an Accept header in capitals, and JSON if the client prefers JSON', async () => {
    for (const [accept, type] of [
      ['Application/Problem+JSON', 'application/problem+json'],
      ['application/json, application/problem+json', 'application/problem+json'],
      ['application/json, application/problem+json;q=0.5', 'application/json'],
      ['application/problem+json;q=0', 'application/json'],
    ] as const) {
      const response = await execute('nothing', {}, { Accept: accept });
      expect([accept, response.headers.get('Content-Type')]).toEqual([accept, type]);
    }
  });

  it('lists every finding if there are several', async () => {
    const answer = await execute('compare_text', { text1: 5 });
    expect(answer.status).toBe(400);
    const { details } = await body(answer);
    expect(details.map(({ param }: { param: string }) => param)).toEqual(['text1', 'text2']);
  });

  it('contains no stack trace and no server path', async () => {
    for (const text of ['{', '{"tool":"x"}', '{"tool":"encode_base64","parameters":{"text":{}}}']) {
      expect((await sendJson(text)).text).not.toMatch(/\n\s+at |\.ts\b|\.js\b|\/work|node_modules/);
    }
  });

  it('is JSON with a request id for malformed HTTP and for oversized headers too', async () => {
    const long = await send({
      method: 'GET',
      path: '/health',
      headers: { 'X-Long': 'x'.repeat(20_000) },
    });
    expect(long.status).toBe(431);
    expectError(long, 431, 'bad_request', /headers/);
    const response = await new Promise<string>((resolve, reject) => {
      const { port } = new URL(baseUrl);
      const socket = connect(Number(port), '127.0.0.1', () => socket.end('NONSENSE\r\n\r\n'));
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('error', reject);
      socket.on('close', () => resolve(text));
    });
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
    expect(response).toMatch(/X-Request-Id: [\da-f-]{36}/);
    expect(response).toContain('"code":"bad_request"');
  });
});

describe('every response', () => {
  it('has a unique X-Request-Id', async () => {
    const paths = [...Object.keys(ENDPOINTS), '/', '/nothing', '/api/v1', '/%E0%A4', '/files/x'];
    const ids = new Set<string>();
    for (const path of paths) {
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'DELETE']) {
        const id = (await fetch(baseUrl + path, { method })).headers.get('X-Request-Id');
        expect(id, `${method} ${path}`).toMatch(/^[\da-f]{16}-[\da-z]+$/);
        ids.add(id!);
      }
    }
    expect(ids.size).toBe(paths.length * 4);
  });

  it('is a 404 in JSON at an unknown path', async () => {
    for (const path of [
      '/nothing',
      '/api/v1/nothing',
      '/api/v1/tools/',
      '//api/v1/tools',
      '/%00',
      '/%E0%A4',
      '/api/v2/tools',
    ]) {
      const answer = await send({ method: 'GET', path });
      expectError(answer, 404, 'not_found', /There is nothing at/);
      expect(answer.headers['content-type']).toBe('application/json');
    }
    expect(
      (await send({ method: 'GET', path: `/${'x'.repeat(5000)}` })).json.error.length,
    ).toBeLessThan(300);
  });

  it('is a 405 with Allow for an unsupported method', async () => {
    for (const [path, allow] of Object.entries(ENDPOINTS)) {
      for (const method of [
        'GET',
        'POST',
        'PUT',
        'PATCH',
        'DELETE',
        'TRACE',
        'PROPFIND',
        'QUERY',
      ]) {
        if (allow.split(', ').includes(method)) continue;
        const answer = await send({ method, path });
        expectError(answer, 405, 'bad_request', new RegExp(`Allowed: ${allow}`));
        expect(answer.headers.allow).toBe(allow);
      }
    }
    expect((await send({ method: 'HEAD', path: '/api/v1/tools/execute' })).status).toBe(405);
  });

  it('is the same for HEAD as for GET, without the body', async () => {
    for (const path of ['/api/v1/tools', '/api/v1/openapi.json', '/health']) {
      const [head, get] = [
        await send({ method: 'HEAD', path }),
        await send({ method: 'GET', path }),
      ];
      expect(head.status).toBe(200);
      expect(head.text).toBe('');
      expect(head.headers['content-type']).toBe(get.headers['content-type']);
    }
    const missing = await send({ method: 'HEAD', path: '/nothing' });
    expect(missing).toMatchObject({ status: 404, text: '' });
  });
});

describe('a page of an origin listed in ALLOWED_ORIGINS', () => {
  const Origin = 'https://example.com';

  it('can read every response and its relevant headers, including errors, without credentials', async () => {
    const responses = [
      await execute('encode_base64', { text: 'a' }, { Origin }),
      await execute('nothing', {}, { Origin }),
      await fetch(`${baseUrl}/api/v1/tools`, { headers: { Origin } }),
      await fetch(`${baseUrl}/nothing`, { headers: { Origin } }),
      await fetch(`${baseUrl}/api/v1/tools`, { method: 'DELETE', headers: { Origin } }),
    ];
    for (const { headers } of responses) {
      expect(headers.get('Access-Control-Allow-Origin')).toBe(Origin);
      expect(headers.get('Access-Control-Allow-Credentials')).toBeNull();
      const exposed = headers.get('Access-Control-Expose-Headers')?.split(', ');
      expect(exposed).toEqual(
        expect.arrayContaining([
          'X-Request-Id',
          'X-Tool-Warnings',
          'Content-Disposition',
          'Retry-After',
        ]),
      );
    }
  });

  it('passes the preflight at every endpoint with the headers that it requests', async () => {
    for (const [path, allow] of Object.entries(ENDPOINTS)) {
      const response = await fetch(baseUrl + path, {
        method: 'OPTIONS',
        headers: {
          Origin,
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': 'authorization,content-type,x-own',
        },
      });
      expect(response.status).toBe(204);
      expect(response.headers.get('Access-Control-Allow-Origin')).toBe(Origin);
      expect(response.headers.get('Access-Control-Allow-Credentials')).toBeNull();
      expect(response.headers.get('Access-Control-Allow-Methods')).toBe(allow);
      expect(response.headers.get('Access-Control-Allow-Headers')).toBe(
        'authorization,content-type,x-own',
      );
      expect(Number(response.headers.get('Access-Control-Max-Age'))).toBeGreaterThan(0);
    }
  });

  it('gets Allow for an OPTIONS request that is not a preflight', async () => {
    const response = await fetch(`${baseUrl}/api/v1/tools`, { method: 'OPTIONS' });
    expect(response.status).toBe(204);
    expect(response.headers.get('Allow')).toBe('GET, HEAD, OPTIONS');
    expect(response.headers.get('Access-Control-Allow-Methods')).toBeNull();
  });
});

describe('X-Tool-Warnings', () => {
  const warnings = async (tool: string, parameters: unknown) =>
    (await execute(tool, parameters)).headers.get('X-Tool-Warnings');

  it('is absent if nothing was ignored or changed', async () => {
    expect(await warnings('encode_base64', { text: 'a' })).toBeNull();
  });

  it('is cut between two words if it is too long', async () => {
    const names = Array.from({ length: 90 }, (_, at) => [`€${'x'.repeat(20)}${at}`, 1]);
    const header = await warnings('encode_base64', { text: 'a', ...Object.fromEntries(names) });
    expect(header!.length).toBeLessThanOrEqual(2000);
    if (header!.length > 1900) expect(header).toMatch(/\S \.\.\.$/);
    expect(() => decodeURIComponent(header!)).not.toThrow();
  });

  it('names every unknown parameter, which is ignored', async () => {
    const response = await execute('encode_base64', { text: 'a', color: 'red', Text: 'b' });
    expect(await body(response)).toEqual({ encoded: 'YQ==' });
    const header = response.headers.get('X-Tool-Warnings');
    expect(header).toContain('no parameter "color", "Text", which were ignored. It takes "text".');
  });

  it('names every field beside "tool" that belongs in "parameters"', async () => {
    const call = '{"tool":"generate_fake_data","parameters":{"type":"name"},"count":3}';
    const { headers } = await sendJson(call);
    expect(headers['x-tool-warnings']).toContain(
      'Ignored unknown fields: "count". Put parameters in',
    );
  });

  it('reports clamped and defaulted values', async () => {
    expect(await warnings('generate_fake_data', { type: 'user', count: 1000 })).toBe(
      'count: 1000 was replaced by 100.',
    );
    expect(await warnings('format_json', { json: '1', indent: 'ä' })).toBe(
      'indent: "%C3%A4" was replaced by 2.',
    );
  });

  it('stays one printable line for any parameter name', async () => {
    const parameters = Object.fromEntries([
      ['text', 'a'],
      ['größe', 1],
      ['日本😀', 1],
      ['a\r\nSet-Cookie: stolen=1', 1],
      ['\ud800', 1],
      ['\u0000\u0007\u007f', 1],
      ['\u2028', 1],
    ]);
    const response = await execute('encode_base64', parameters);
    expect(response.status).toBe(200);
    expect(response.headers.get('Set-Cookie')).toBeNull();
    const header = response.headers.get('X-Tool-Warnings')!;
    expect(header).toMatch(/^[\x20-\x7e]+$/);
    expect(decodeURIComponent(header)).toContain('"größe"');
    expect(decodeURIComponent(header)).toContain('"日本😀"');
  });

  it('stays short for 900 unknown parameters', async () => {
    const many = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`parameter${i}`, i]));
    const header = await warnings('encode_base64', { text: 'a', ...many });
    expect(header!.length).toBeLessThanOrEqual(2000);
  });

  it('reports parameters named like Object.prototype members, which have no effect', async () => {
    const call = `{"tool":"encode_base64","parameters":{"text":"a","__proto__":{"text":"b"},"constructor":{"prototype":{"x":1}},"toString":1},"__proto__":{"tool":"x"}}`;
    const answer = await sendJson(call);
    expect(answer.json).toEqual({ encoded: 'YQ==' });
    expect(answer.headers['x-tool-warnings']).toContain('"__proto__"');
    const missing = await sendJson(
      '{"tool":"encode_base64","parameters":{"__proto__":{"text":"b"}}}',
    );
    expectError(missing, 400, 'bad_request', /"text" is missing\./);
    expect((await sendJson('{"tool":"encode_base64","parameters":{}}')).json.param).toBe('text');
  });
});
