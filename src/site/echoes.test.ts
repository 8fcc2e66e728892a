import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, expect, it } from 'vitest';
import { applyMigrations } from '../../test/support/apply-migrations.ts';
import { handle } from '../app.ts';

const ORIGIN = 'http://localhost:8787';
const MARKUP = `"'><script>alert(1)</script><img src=x onerror=alert(1)>\r\nX-Echoed: 1`;
const QUERY = encodeURIComponent(MARKUP);
const JSON_TYPE = { 'Content-Type': 'application/json' };
const execute = (body: unknown, path = '/api/v1/tools/execute'): [string, RequestInit] => [
  path,
  { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) },
];

const ECHOES: [string, RequestInit?][] = [
  [`/search?q=${QUERY}`],
  [`/abuse?url=${QUERY}`],
  [`/developers?done=${QUERY}`],
  [`/developers?next=${QUERY}`],
  [`/admin?q=${QUERY}&done=${QUERY}`],
  [`/${QUERY}`],
  [`/tools/${QUERY}`],
  [`/blog/${QUERY}?${QUERY}`],
  [`/files/${QUERY}/${QUERY}`],
  [`/api/v1/content?path=${QUERY}&section=${QUERY}`],
  [`/api/v1/jobs/${QUERY}`],
  [`/api/mcp/${QUERY}`],
  execute({ tool: MARKUP }),
  execute({ tool: 'format_json', parameters: { json: MARKUP } }),
  execute({ query: MARKUP }, '/api/v1/search'),
  execute({ jsonrpc: '2.0', id: MARKUP, method: MARKUP }, '/api/mcp'),
  ['/', { headers: { Authorization: `Bearer ${QUERY}`, Cookie: `session=${QUERY}` } }],
];

beforeEach(() => applyMigrations(env));

it.each(ECHOES)('%s returns its input as text, never as markup or a header', async (path, init) => {
  const context = createExecutionContext();
  const request = new Request(ORIGIN + path, { ...init, redirect: 'manual' });
  request.headers.set('Accept', 'text/html');
  const response = await handle(request, env, context);
  const text = await response.text();
  await waitOnExecutionContext(context);
  const type = response.headers.get('Content-Type') ?? '';
  expect(response.headers.get('X-Echoed')).toBeNull();
  if (type.startsWith('application/json')) return;
  expect(type).toMatch(/^text\/html|^$/);
  expect(text).not.toContain('<script>alert(1)');
  expect(text).not.toContain('<img src=x');
});
