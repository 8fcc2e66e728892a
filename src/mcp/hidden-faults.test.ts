/**
 * Tests that internal errors over MCP are logged, and that callers neither see their messages nor are blamed for them.
 */
import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { applyMigrations } from '../../test/support/apply-migrations.ts';
import { D1AgentFiles } from '../adapters/d1-agent-files.ts';
import { EdgeEgress } from '../adapters/egress-edge.ts';
import { R2Files } from '../adapters/r2-files.ts';
import { handle } from '../app.ts';
import { unavailable } from '../core/errors.ts';
import { servicesOf } from '../services.ts';
import { TOOLS } from '../tools/registry.ts';

async function send(path: string, method: string, params: object) {
  const request = new Request(`http://localhost:8787${path}`, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2025-11-25',
      'CF-Connecting-IP': '198.51.100.9',
    },
  });
  const response = await handle(request, env, createExecutionContext());
  return response.json<{ error?: { message: string }; result?: unknown }>();
}

const bug = new TypeError('x is undefined');
let logged: string[];

beforeEach(async () => {
  await applyMigrations(env);
  logged = [];
  vi.spyOn(console, 'error').mockImplementation((line) => void logged.push(line));
});
afterEach(() => vi.restoreAllMocks());

describe('a tool call over MCP', () => {
  it('that fails because of a bug in the check is not blamed on the missing link', async () => {
    vi.spyOn(TOOLS.find(({ name }) => name === 'compress_image')!, 'check').mockImplementation(
      () => {
        throw bug;
      },
    );
    const params = { name: 'compress_image', arguments: {} };
    const { error } = await send('/api/mcp', 'tools/call', params);
    expect(error).toMatchObject({
      code: -32603,
      message: expect.stringMatching(/^Something went wrong/),
    });
    expect(logged.join()).toContain(bug.message);
  });

  it('that fails because of an upstream logs the cause', async () => {
    vi.spyOn(EdgeEgress.prototype, 'exchange').mockRejectedValue(new Error('reset by peer'));
    const params = { name: 'fetch_page_metadata', arguments: { url: 'https://a.example/' } };
    const { result } = await send('/api/mcp', 'tools/call', params);
    expect(result).toMatchObject({ isError: true });
    expect(logged.join()).toContain('reset by peer');
  });

  it('whose image cannot be opened because of a bug logs the bug and keeps the link', async () => {
    vi.spyOn(R2Files.prototype, 'openById').mockRejectedValue(bug);
    const params = { name: 'generate_qr_code', arguments: { text: 'https://a.example/' } };
    const { result } = await send('/api/agent/mcp', 'tools/call', params);
    expect(result).toMatchObject({
      structuredContent: { url: expect.stringContaining('/files/') },
    });
    expect(logged.join()).toContain(bug.message);
  });
});

describe('a resource over MCP', () => {
  const PATH = '/api/agent/mcp';
  const stored = async () => {
    const caller = { address: '192.0.2.1' };
    const options = { filename: 'a.txt', contentType: 'text/plain', lifeSeconds: 3600, caller };
    return servicesOf(env).storage.store(new TextEncoder().encode('bytes'), options);
  };

  it('is not reported as unknown while storage fails', async () => {
    const { url: uri } = await stored();
    const message = 'The storage is not responding. Try again in a moment.';
    vi.spyOn(R2Files.prototype, 'openById').mockRejectedValue(unavailable(message, 5));
    const { error } = await send(PATH, 'resources/read', { uri });
    expect(error).toMatchObject({ code: -32603, message });
  });

  it('that cannot be read because of a bug logs the bug and does not show it', async () => {
    const { url: uri } = await stored();
    vi.spyOn(D1AgentFiles.prototype, 'owners').mockRejectedValue(bug);
    const { error } = await send(PATH, 'resources/read', { uri });
    expect(error).toMatchObject({ code: -32603, data: { requestId: expect.any(String) } });
    expect(error!.message).toMatch(/^Something went wrong/);
    expect(logged.join()).toContain(bug.message);
  });

  it('that was deleted is reported as unknown', async () => {
    const { url: uri, id } = await stored();
    await servicesOf(env).storage.remove([id]);
    const { error } = await send(PATH, 'resources/read', { uri });
    expect(error).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/^There is no such file/),
    });
  });
});
