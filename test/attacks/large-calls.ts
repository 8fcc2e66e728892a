/** Defines attacks with many concurrent calls, each of which uses as much CPU and memory as the limits allow. */
import { type Attack, type Call, sendAtOnce } from './attacker.ts';

/** The number of calls, which is one less than the hourly limit of an anonymous caller. */
const CALLS = 34;
/** The numbers of chains and of MCP requests, which have their own limits per minute. */
const CHAINS = 12;
const REQUESTS = 29;
/** The size of a request body in bytes, which is slightly below the limit. */
const BODY = 8 * 2 ** 20 - 1000;

const execute = (tool: string, parameters: unknown): Call => ({
  path: '/api/v1/tools/execute',
  body: { tool, parameters },
});

const callTool = (name: string, given: unknown) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: given },
});

const overMcp = (body: unknown): Call => ({ path: '/api/mcp', body });
const chain = (...toolChain: unknown[]): Call => ({
  path: '/api/v1/tools/chain',
  body: { toolChain },
});

const fields = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`field${index}`, index]));
const objects = (count: number) => Array.from({ length: count / 1000 }, () => fields(1000));
const nest = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const lines = (count: number, line: string) => Array(count).fill(line).join('\n');
const token = (payload: object) =>
  `${['{"alg":"none"}', JSON.stringify(payload)].map((part) => Buffer.from(part).toString('base64url')).join('.')}.`;

const umlauts = 'ü'.repeat(3_900_000);
const differing = { text1: lines(240_000, 'a'), text2: lines(240_000, 'b') };

/** The most expensive known calls for each tool and surface. */
const CALLS_BY_NAME: Record<string, Call[]> = {
  'encode_url, 7.8 MB of ü': Array(CALLS).fill(execute('encode_url', { url: umlauts })),
  'decode_url, 7.8 MB of escapes': Array(CALLS).fill(
    execute('decode_url', { encoded: '%C3%BC'.repeat(1_300_000) }),
  ),
  'encode_base64, 7.8 MB of ü': Array(CALLS).fill(execute('encode_base64', { text: umlauts })),
  'decode_base64, 8 MB': Array(CALLS).fill(
    execute('decode_base64', { encoded: 'w7zD'.repeat(BODY / 4 - 20) }),
  ),
  'decode_jwt, 150,000 claims': Array(CALLS).fill(
    execute('decode_jwt', { token: token(fields(150_000)) }),
  ),
  'decode_jwt, 190,000 values': Array(CALLS).fill(
    execute('decode_jwt', { token: token({ all: objects(190_000) }) }),
  ),
  'format_json, 900 levels': Array(CALLS).fill(
    execute('format_json', { json: nest(900), indent: 10 }),
  ),
  'format_json, 190,000 values': Array(CALLS).fill(
    execute('format_json', { json: JSON.stringify(objects(190_000)), indent: 10 }),
  ),
  'format_json, 7 MB of ü': Array(CALLS).fill(
    execute('format_json', { json: JSON.stringify(umlauts.slice(0, 3_500_000)), indent: 10 }),
  ),
  'format_json, 5 MB of escapes': Array(CALLS).fill(
    execute('format_json', { json: `"${'\\u00fc'.repeat(600_000)}"` }),
  ),
  'compare_text, 240,000 changes': Array(CALLS).fill(execute('compare_text', differing)),
  'generate_qr_code, 2.3 kB': Array(CALLS).fill(
    execute('generate_qr_code', { text: 'a'.repeat(2331), size: 4096 }),
  ),
  'generate_qr_code, 7 MB': Array(CALLS).fill(
    execute('generate_qr_code', { text: 'a'.repeat(7_000_000) }),
  ),
  'an unknown parameter of 190,000 values': Array(CALLS).fill(
    execute('encode_base64', { text: 'a', other: objects(190_000) }),
  ),
  'a wrong parameter of 190,000 values': Array(CALLS).fill(
    execute('generate_qr_code', { text: 'a', size: objects(190_000) }),
  ),
  'a body of 8 MB of spaces': Array(CALLS).fill({
    path: '/api/v1/tools/execute',
    body: `{"tool":"encode_base64",${' '.repeat(BODY - 100)}"parameters":{"text":"a"}}`,
  }),
  'a text of 8 MB for a model': Array(CALLS).fill(
    execute('humanize_text', { text: 'word '.repeat(BODY / 5 - 50) }),
  ),
  '190,000 links': Array(CALLS).fill(
    execute('merge_pdf', { fileUrls: Array(190_000).fill('https://example.com/a.pdf') }),
  ),
  'a chain of large results': Array(CHAINS).fill(
    chain(
      { tool: 'encode_base64', parameters: { text: 'a'.repeat(20_000) } },
      { tool: 'encode_base64', parameters: { text: '{{prev.encoded}}'.repeat(100) } },
      { tool: 'decode_base64' },
      { tool: 'encode_url', parameters: { url: '{{prev.decoded}}' } },
    ),
  ),
  'a chain of 500,000 references': Array(CHAINS).fill(
    chain(
      { tool: 'encode_base64', parameters: { text: 'a' } },
      { tool: 'encode_base64', parameters: { text: '{{prev.encoded}}'.repeat(500_000) } },
    ),
  ),
  'a chain of large parameters': Array(CHAINS).fill(
    chain(
      ...Array(12).fill({
        tool: 'encode_base64',
        parameters: { text: 'a', other: objects(15_000) },
      }),
    ),
  ),
  'encode_url over MCP': Array(REQUESTS).fill(overMcp(callTool('encode_url', { url: umlauts }))),
  'format_json over MCP': Array(REQUESTS).fill(
    overMcp(callTool('format_json', { json: JSON.stringify(objects(190_000)), indent: 2 })),
  ),
  'compare_text over MCP': Array(REQUESTS).fill(
    overMcp(callTool('compare_text', { text1: lines(60_000, 'a'), text2: lines(60_000, 'b') })),
  ),
  'a batch over MCP': [
    overMcp(Array(29).fill(callTool('encode_url', { url: 'ü'.repeat(130_000) }))),
  ],
};

export const largeCalls: Attack[] = Object.entries(CALLS_BY_NAME).map(([name, calls]) => ({
  name,
  run: (target) => sendAtOnce(target, calls),
}));
