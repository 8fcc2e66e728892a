/** Compares an MCP call with the SDK's minimal server, and the MCP tool list with the REST catalogue. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startWorker } from '../../scripts/worker.ts';
import { startTestWorker } from '../support/test-worker.ts';
import { memoryFolder } from './memory-folder.ts';
import { SETTINGS } from './rate.ts';
import { atLeast, median, type Row } from './row.ts';
import { type Measured, wrk } from './wrk.ts';

const ROUNDS = 5;
const PATH = '/api/mcp';
const VERSION = '2026-07-28';
const NAME = 'encode_base64';

const message = (method: string, params: Record<string, unknown>) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params: {
    ...params,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': VERSION,
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});

/** Returns a wrk script that sets the headers of the stateless protocol, which both servers accept. */
const script = (headers: Record<string, string>) =>
  Object.entries({
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': VERSION,
    ...headers,
  })
    .map(([name, value]) => `wrk.headers["${name}"] = "${value}"`)
    .join('\n');

export async function mcpRows(): Promise<Row[]> {
  const folder = memoryFolder('tools-mcp-rate-');
  const load = { folder, connections: 16, seconds: 2 };
  const call = message('tools/call', { name: NAME, arguments: { text: 'hello world' } });
  const callLoad = { ...load, script: script({ 'Mcp-Method': 'tools/call', 'Mcp-Name': NAME }) };
  const listLoad = { ...load, script: script({ 'Mcp-Method': 'tools/list' }) };
  const getLoad = { ...load, script: 'wrk.method = "GET"\nwrk.body = nil' };
  const ours = await startWorker({ ...SETTINGS, RATE_LIMITS: 'off' }, join(folder, 'state'));
  const bare = await startTestWorker('test/bench/mcp-worker/wrangler.toml', join(folder, 'bundle'));
  const contestants: Record<string, () => Promise<Measured>> = {
    call: () => wrk(new URL(PATH, ours.url), call, callLoad),
    bare: () => wrk(new URL(PATH, bare.url), call, callLoad),
    list: () => wrk(new URL(PATH, ours.url), message('tools/list', {}), listLoad),
    catalogue: () => wrk(new URL('/api/v1/tools', ours.url), null, getLoad),
  };
  const runs: Record<string, number[]> = { call: [], bare: [], list: [], catalogue: [] };
  for (const name in contestants) await contestants[name]!();
  for (let round = 0; round < ROUNDS; round++) {
    const names = Object.keys(contestants);
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      runs[name]!.push((await contestants[name]!()).rate);
    }
  }
  await Promise.all([ours.stop(), bare.stop()]);
  rmSync(folder, { recursive: true });
  const rate = (name: string) => median(runs[name]!);
  return [
    atLeast(
      "tools/call encode_base64 / SDK's minimal server",
      rate('call'),
      rate('bare'),
      0.9,
      '/s',
    ),
    atLeast('tools/list / GET /api/v1/tools', rate('list'), rate('catalogue'), 0.8, '/s'),
  ];
}
