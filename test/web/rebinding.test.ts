/** Checks that a DNS resolver cannot direct a web tool to a forbidden listener by changing its responses. */
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openForbidden, redirect } from '../support/upstream.ts';
import { openWebService, type WebService } from '../support/web-service.ts';

/** The address is public but unassigned, so connections to it fail. */
const PUBLIC = { type: 28, data: '2d00::1' };
/** The address of the forbidden listener on this machine. Its port is allowed for pages. */
const INSIDE = { type: 1, data: `127.77.${(process.pid >> 8) & 255}.${(process.pid & 127) + 1}` };
const PORT = 8080;

/** The number of lookups, by name. */
const lookUps = new Map<string, number>();

/** Returns the addresses to which a name resolves at its nth lookup, counted from 1. */
const answersOf = (name: string, lookUp: number) => {
  if (name.startsWith('both')) return [PUBLIC, INSIDE];
  return [lookUp === 1 ? PUBLIC : INSIDE];
};

const TOOLS: [string, (url: string) => Record<string, unknown>][] = [
  ['fetch_page_metadata', (url) => ({ url })],
  ['fetch_site_logo', (url) => ({ url })],
  ['screenshot_url', (url) => ({ url })],
  ['split_pdf', (url) => ({ fileUrl: url, ranges: ['1'] })],
];

/** Returns the name to which this tool is redirected. */
const redirectedName = (tool: string) => `redirect-${tool.replaceAll('_', '-')}.test`;

const resolver = createServer((request, response) => {
  const query = new URL(request.url ?? '', 'http://x').searchParams;
  const name = query.get('name') ?? '';
  const type = query.get('type') === 'AAAA' ? 28 : 1;
  // Each lookup sends one query for each of the two record types, so a query counts as half a lookup.
  const lookUp = (lookUps.get(name) ?? 0) + 0.5;
  lookUps.set(name, lookUp);
  const Answer = answersOf(name, Math.ceil(lookUp)).filter((answer) => answer.type === type);
  response.setHeader('Content-Type', 'application/dns-json');
  response.end(JSON.stringify({ Status: 0, Answer }));
});

let forbidden: Awaited<ReturnType<typeof openForbidden>>;
let service: WebService;
beforeAll(async () => {
  forbidden = await openForbidden({ host: INSIDE.data, port: PORT });
  await new Promise<void>((resolve) => resolver.listen(0, '127.0.0.1', resolve));
  const page = (name: string) => `http://${name}:${PORT}`;
  const images = Array.from(
    { length: 20 },
    (_, index) => `<img src=${page('later-image.test')}/${index}>`,
  );
  service = await openWebService(
    ['a.test'],
    {
      ...Object.fromEntries(
        TOOLS.map(([tool]) => [`/to-${tool}`, redirect(page(redirectedName(tool)))]),
      ),
      '/page': `<title>page</title>${images.join('')}<iframe src=${page('later-frame.test')}></iframe>
        <script>setInterval(() => fetch('${page('later-fetch.test')}', { mode: 'no-cors' }).catch(() => {}), 50)</script>`,
    },
    {
      DNS_OVER_HTTPS_URL: `http://127.0.0.1:${(resolver.address() as AddressInfo).port}/dns-query`,
    },
  );
});
afterAll(async () => {
  await service.close();
  await forbidden.close();
  resolver.close();
});

it.each(TOOLS)(
  '%s does not reach a name that is rebound between two lookups',
  async (tool, parameters) => {
    const run = async (name: string) =>
      (await service.run(tool, parameters(`http://${name}:${PORT}/`))).status;
    const name = `later-${tool.replaceAll('_', '-')}.test`;
    expect(await run(name)).toBeGreaterThanOrEqual(500);
    expect(await run(name)).toBe(400);
    expect(lookUps.get(name)).toBeGreaterThan(1);
    expect(await run(`both-${name}`)).toBe(400);
    expect(forbidden.connections()).toBe(0);
  },
);

it.each(TOOLS)('%s does not reach such a name through a redirect', async (tool, parameters) => {
  const run = async () => (await service.run(tool, parameters(`http://a.test/to-${tool}`))).status;
  expect(await run()).toBeGreaterThanOrEqual(500);
  expect(await run()).toBe(400);
  expect(lookUps.get(redirectedName(tool))).toBeGreaterThan(1);
  expect(forbidden.connections()).toBe(0);
});

it('a captured page does not reach such a name by its images, frames and scripts', async () => {
  const { status } = await service.run('screenshot_url', {
    url: 'http://a.test/page',
    delayMs: 2000,
  });
  expect(status).toBe(200);
  for (const name of ['later-image.test', 'later-fetch.test']) {
    expect(lookUps.get(name)).toBeGreaterThan(1);
  }
  expect(forbidden.connections()).toBe(0);
});

it('an unguarded connection reaches the listener', async () => {
  const socket = connect({ host: INSIDE.data, port: PORT });
  await expect.poll(() => forbidden.connections()).toBe(1);
  socket.destroy();
});
