/** Runs the MCP Inspector's CLI in strict mode against every endpoint and protocol era. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/catalogue/mcp-endpoints.ts';
import { someOf } from '../support/matrix.ts';
import { baseUrl } from '../support/service.ts';

const run = promisify(execFile);
const inspect = (url: string, ...words: string[]) =>
  run('node_modules/.bin/mcp-inspector', ['--cli', url, '--transport', 'http', ...words]);

/** Only some domains are inspected, because /api/mcp offers the same tools. */
const INSPECTED = [
  ...ENDPOINTS.filter(({ domain }) => domain === null),
  ...someOf(
    ENDPOINTS.filter(({ domain }) => domain !== null),
    5,
  ),
];

it.each(
  INSPECTED.flatMap(({ path, tools }) =>
    (path === '/api/mcp' ? ['legacy', 'auto', 'modern'] : ['auto']).map(
      (era) => [path, era, tools.length] as const,
    ),
  ),
)('the Inspector reports no problem in the tools of %s, %s', async (path, era, count) => {
  const { stdout, stderr } = await inspect(
    baseUrl + path,
    '--method',
    'tools/list',
    '--strict',
    '--protocol-era',
    era,
  );
  expect(stderr).not.toMatch(/error|warning/i);
  expect(JSON.parse(stdout).tools).toHaveLength(count);
});

it('the Inspector calls a tool, and exits with 5 after a tool error', async () => {
  const words = ['--method', 'tools/call', '--tool-name', 'decode_base64', '--tool-arg'];
  const { stdout } = await inspect(`${baseUrl}/api/mcp/dev`, ...words, 'encoded=aGk=');
  expect(JSON.parse(stdout).structuredContent).toEqual({ decoded: 'hi' });
  await expect(inspect(`${baseUrl}/api/mcp/dev`, ...words, 'encoded=*')).rejects.toMatchObject({
    code: 5,
  });
});
