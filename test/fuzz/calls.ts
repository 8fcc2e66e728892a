/** Generates the calls that the fuzzer sends to the running service, for each target and surface. */
import fc from 'fast-check';
import type { Tool } from '../../src/core/define-tool.ts';
import { TOOLS } from '../../src/tools/registry.ts';
import { editedBytes } from './edited-bytes.ts';
import { editedText } from './edited-text.ts';
import type { Call } from './fuzzed-service.ts';
import { parametersFor } from './parameters.ts';
import type { SeedFile } from './seed-files.ts';
import { FEED, HTML_LINKS, HTML_PAGE } from './seeds.ts';

export type CallTarget = (files: readonly SeedFile[]) => fc.Arbitrary<Call>;

const JSON_TYPE = { 'Content-Type': 'application/json' };
const EXECUTE = '/api/v1/tools/execute';
const executable = TOOLS.filter(({ run }) => run);
const post = (path: string, body: unknown, headers = {}): Call => ({
  method: 'POST',
  path,
  headers: { ...JSON_TYPE, ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const call = (tool: Tool): fc.Arbitrary<{ tool: string; parameters: unknown }> =>
  parametersFor(tool).map((parameters) => ({ tool: tool.name, parameters }));
const anyCall = fc.constantFrom(...executable).chain(call);
const textCall = fc
  .constantFrom(...executable.filter(({ domain }) => domain === 'text' || domain === 'dev'))
  .chain(call);
/** Generates JSON that may be invalid. */
const sent = (value: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: value.map((each) => JSON.stringify(each)) },
    {
      weight: 1,
      arbitrary: value.chain((each) =>
        editedText({ seeds: [JSON.stringify(each).slice(0, 4000)] }),
      ),
    },
  );
/** Generates header values from characters that HTTP allows. */
const header = (seeds: readonly string[], pieces: readonly string[] = []) =>
  editedText({ seeds, pieces, most: 4000 }).map((text) =>
    text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '').trim(),
  );

/** Builds a multipart request from these parts. Its body has one character per byte. */
function form(parts: readonly (readonly [name: string, content: string, file?: SeedFile])[]): Call {
  const body = parts.map(([name, content, file]) => {
    const filename = file ? `; filename="${file.name}"` : '';
    const type = file ? `\r\nContent-Type: ${file.type}` : '';
    return `--b\r\nContent-Disposition: form-data; name="${name}"${filename}${type}\r\n\r\n${content}\r\n`;
  });
  const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
  return {
    method: 'POST',
    path: EXECUTE,
    headers,
    body: `${body.join('')}--b--\r\n`,
    binary: true,
  };
}

const latin1 = (text: string) => Buffer.from(text).toString('latin1');
const fileTools = executable.filter(({ files }) => files);
/** Whether a tool accepts this kind of seed file. */
const fits = ({ files, name }: Tool, { kind }: SeedFile) =>
  name === 'compress_video'
    ? kind === 'video'
    : kind !== 'video' && (files!.kinds.includes(kind as never) || files!.kinds.includes('any'));

/** Generates a tool call with files that `change` derives from seed files. */
function fileCall(
  files: readonly SeedFile[],
  change: (seeds: readonly Buffer[]) => fc.Arbitrary<Buffer>,
): fc.Arbitrary<Call> {
  return fc.constantFrom(...fileTools).chain((tool) => {
    const fitting = files.filter((file) => fits(tool, file));
    const one = fc
      .constantFrom(...fitting)
      .chain((file) =>
        change([file.bytes]).map((bytes) => ({ file, content: bytes.toString('latin1') })),
      );
    const { min, max } = tool.files!;
    const several = fc.array(one, {
      minLength: Math.max(1, min),
      maxLength: Math.min(max, min + 2),
    });
    return fc.tuple(parametersFor(tool), several).map(([parameters, list]) => {
      const named = list.map(
        ({ file, content }) => [max > 1 ? 'files' : 'file', content, file] as const,
      );
      return form([
        ['tool', tool.name],
        ['parameters', latin1(JSON.stringify(parameters))],
        ...named,
      ]);
    });
  });
}

const MCP_PATHS = ['/api/mcp', '/api/mcp/documents', '/api/mcp/dev', '/api/mcp/none'];
const rpc = fc.oneof(
  anyCall.map(({ tool, parameters }) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: tool, arguments: parameters },
  })),
  fc.record({
    jsonrpc: fc.constantFrom<unknown>('2.0', '2.0', '2.0', '1.0', 2, null),
    id: fc.constantFrom<unknown>(1, 'a', null, undefined, 1.5, {}, '\ud800', 2 ** 60),
    method: fc.constantFrom<unknown>(
      ...['initialize', 'tools/list', 'tools/call', 'ping', 'server/discover', 'resources/list'],
      ...[
        'prompts/get',
        'notifications/initialized',
        'completion/complete',
        'logging/setLevel',
        '',
        1,
      ],
    ),
    params: fc.oneof(
      fc.constantFrom<unknown>(
        undefined,
        null,
        [],
        'x',
        { cursor: 'x' },
        { name: '__proto__' },
        { name: 1 },
      ),
      fc
        .constantFrom('2024-11-05', '2025-11-25', '2026-07-28', '9999-01-01', '')
        .map((protocolVersion) => ({
          protocolVersion,
          capabilities: {},
          clientInfo: { name: 'fuzz', version: '1' },
          _meta: { 'io.modelcontextprotocol/protocolVersion': protocolVersion, progressToken: 1 },
        })),
      fc.jsonValue({ maxDepth: 3 }),
    ),
  }),
);

const reference = fc.constantFrom(
  ...[
    '{{prev.encoded}}',
    '{{prev.decoded}}',
    '{{prev}}',
    '{{steps.0.result.encoded}}',
    '{{steps.9.result}}',
  ],
  ...[
    '{{steps.a.result.encoded.0}}',
    '{{prev.__proto__}}',
    '{{prev.constructor.name}}',
    '{{prev.encoded}} {{prev.encoded}}',
  ],
);
const step = fc
  .tuple(
    fc.oneof({ weight: 4, arbitrary: textCall }, { weight: 1, arbitrary: anyCall }),
    reference,
    fc.option(fc.constantFrom<unknown>('a', 'b', '__proto__', '0', 1, '')),
    fc.boolean(),
  )
  .map(([{ tool, parameters }, text, id, refers]) => {
    const own = Object.entries(parameters as object);
    const changed = refers
      ? own.map(([name, value]) => [name, typeof value === 'string' ? text : value])
      : own;
    return { tool, parameters: Object.fromEntries(changed), ...(id !== null && { id }) };
  });

const PATHS = [
  ...[
    '/',
    '/tools',
    '/tools/merge_pdf',
    '/tools/none',
    '/docs',
    '/docs/api',
    '/blog',
    '/search?q=pdf',
    '/chains',
  ],
  ...[
    '/files/abc/a.pdf',
    '/abc',
    '/none/none',
    '/api/v1/tools',
    '/api/v1/jobs/none',
    '/api/v1/usage',
    '/health',
  ],
  ...[
    '/api/v1/content?limit=2&query=pdf',
    '/llms.txt',
    '/sitemap.xml',
    '/card/tools/merge_pdf',
    '/developers',
  ],
  ...[
    '/assets/site.css',
    '/.well-known/mcp.json',
    '/api/v1/openapi.json',
    '/api/v1/uploads/none',
    '/status',
  ],
];
const path = editedText({
  seeds: PATHS,
  pieces: ['/', '//', '%', '%2e%2e/', '?q=', '&', '.', '%ff', '%00', '#', '/a'],
  most: 6000,
}).map(
  (text) =>
    `/${text.replace(/[^\x21-\x7e]/g, (character) => encodeURIComponent(character.toWellFormed())).replace(/^\/+/, '')}`,
);

const surface: fc.Arbitrary<Call> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'),
      path,
      fc.record(
        {
          Range: header(['bytes=0-9', 'bytes=-5', 'bytes=5-'], ['-', ',', 'bytes=', '9']),
          Accept: header(['text/markdown;q=0.9, application/json', 'text/html'], [';q=', ',']),
          Cookie: header([`session=${'a'.repeat(43)}`, 'theme=dark'], [';', '=', 'session=']),
          Prefer: header(['respond-async, wait=10'], [',', ';', '=']),
          'If-None-Match': header(['W/"abc", "def", *'], ['"', ',', 'W/']),
          'If-Modified-Since': header(['Sun, 06 Nov 1994 08:49:37 GMT']),
          'User-Agent': header(['Mozilla/5.0 (X11) Chrome/126']),
          'Idempotency-Key': header(['0123456789abcdef']),
          Origin: fc.constantFrom('null', 'http://evil.test', 'http://localhost'),
        },
        { requiredKeys: [] },
      ),
    )
    .map(([method, to, headers]) => ({ method, path: to, headers })),
  sent(
    fc.record(
      {
        query: editedText({ seeds: ['merge two PDFs'] }),
        limit: fc.constantFrom<unknown>(1, 0, -1, 1e9, 'x'),
      },
      { requiredKeys: [] },
    ),
  ).map((body) => post('/api/v1/search', body)),
  sent(
    fc.record(
      {
        filename: editedText({ seeds: ['a.pdf', '../b.png'] }),
        contentType: fc.constantFrom<unknown>('image/png', 'x', 1, null),
      },
      { requiredKeys: [] },
    ),
  ).map((body) => post('/api/v1/uploads', body)),
  textCall.map((body) => post(EXECUTE, body, { Prefer: 'respond-async' })),
  fc
    .tuple(
      fc.constantFrom(...executable),
      editedText({
        seeds: [
          'text=a%20b&json=%7B%7D&url=http%3A%2F%2Fpage.test',
          'step=0&tool=encode_url&add=1',
        ],
      }),
      fc.boolean(),
    )
    .map(([tool, body, isChain]) => ({
      method: 'POST',
      path: isChain ? '/chains' : `/tools/${tool.name}/run`,
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        Accept: 'text/html',
        'Sec-Fetch-Site': 'same-origin',
      },
      body,
    })),
);

export const CALLS: Record<string, CallTarget> = {
  tools: () => sent(anyCall).map((body) => post(EXECUTE, body)),
  forms: (files) => fileCall(files, (seeds) => fc.constantFrom(...seeds)),
  files: (files) => fileCall(files, editedBytes),
  mcp: () =>
    fc
      .tuple(
        fc.constantFrom(...MCP_PATHS),
        sent(fc.oneof(rpc, rpc, fc.array(rpc, { maxLength: 20 }))),
        fc.constantFrom('2025-11-25', '2026-07-28', '2024-11-05', 'x', undefined),
        fc.constantFrom('application/json, text/event-stream', '*/*'),
      )
      .map(([to, body, version, accept]) =>
        post(to, body, { Accept: accept, ...(version && { 'MCP-Protocol-Version': version }) }),
      ),
  chains: () =>
    sent(fc.array(step, { minLength: 1, maxLength: 13 }).map((toolChain) => ({ toolChain }))).map(
      (body) => post('/api/v1/tools/chain', body),
    ),
  surfaces: () => surface,
  pages: () =>
    fc
      .tuple(
        fc.constantFrom('fetch_page_metadata', 'fetch_site_logo'),
        editedText({
          seeds: [HTML_PAGE, HTML_LINKS, FEED],
          pieces: ['<base href="', '<link rel=icon href=/1>', 'charset=', '<meta '],
        }),
        fc.nat(),
      )
      .map(([tool, text, number]) => ({
        ...post(EXECUTE, { tool, parameters: { url: `http://page.test/fuzzed?${number}` } }),
        page: latin1(text),
      })),
};
