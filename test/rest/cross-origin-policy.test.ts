/** Checks that pages from other sites cannot read data, even through a host name that is rebound to this machine. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { openBrowser } from '../support/chromium.ts';
import { baseUrl } from '../support/service.ts';
import { multipart, send } from './raw-request.ts';

const PATHS = [
  '/',
  '/health',
  '/api/v1/tools',
  '/api/v1/openapi.json',
  '/api/mcp',
  '/.well-known/mcp.json',
  '/files/x/a.txt',
  '/developers',
  '/aShortLink',
  '/nothing/here',
];
const CALL = '{"tool":"encode_base64","parameters":{"text":"a"}}';
const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

describe('a request with an unknown Host', () => {
  it.each(PATHS)('returns 421 at %s for every method', async (path) => {
    for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE']) {
      const answer = await send({ method, path, headers: { Host: 'evil.example:8787' } });
      expect(answer).toMatchObject({
        status: 421,
        json: { code: 'bad_request', error: expect.stringContaining('ALLOWED_HOSTS') },
      });
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it('is checked by its target if that is an absolute URL', async () => {
    const headers = { Host: new URL(baseUrl).host };
    const evil = await send({ method: 'GET', path: 'http://evil.example/health', headers });
    expect(evil.status).toBe(421);
    const ours = await send({ method: 'GET', path: `${baseUrl}/health`, headers });
    expect(ours.status).toBe(200);
  });
});

describe('a page of an unlisted origin', () => {
  const Origin = 'https://evil.example';

  it.each([
    ['REST', '/api/v1/tools/execute', 'text/plain', CALL],
    ['REST, as JSON', '/api/v1/tools/execute', 'application/json', CALL],
    [
      'REST, as a form',
      '/api/v1/tools/execute',
      'multipart/form-data; boundary=b',
      multipart([['Content-Disposition: form-data; name="tool"', 'generate_fake_data']]),
    ],
    ['a chain', '/api/v1/tools/chain', 'text/plain', '{"toolChain":[]}'],
    ['MCP', '/api/mcp', 'text/plain', PING],
    ['MCP, as JSON', '/api/mcp/dev', 'application/json', PING],
    ['the site', '/tools/encode_base64', 'application/x-www-form-urlencoded', 'text=a'],
    ['the theme', '/theme', 'application/x-www-form-urlencoded', 'theme=dark'],
    ['uploads', '/api/v1/uploads', 'text/plain', '{"filename":"a.txt"}'],
    ['inputs', '/api/v1/inputs', 'multipart/form-data; boundary=b', 'a'],
    ['inputs of the chain page', '/chains/inputs', 'multipart/form-data; boundary=b', 'a'],
  ])('cannot post to %s', async (_, path, type, body) => {
    const marks: Record<string, string>[] = [
      { Origin },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site' },
    ];
    for (const headers of marks) {
      const answer = await send({
        path,
        headers: { ...headers, 'Content-Type': type },
        pieces: [body],
      });
      expect(answer).toMatchObject({
        status: 403,
        json: { code: 'bad_request', error: expect.stringContaining('ALLOWED_ORIGINS') },
      });
    }
  });

  it.each(PATHS)('cannot read %s', async (path) => {
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      const headers = { Origin, 'Access-Control-Request-Method': 'POST' };
      const answer = await send({ method, path, headers });
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-'))).toEqual([]);
    }
  });

  it('is blocked in a browser, while our own pages post forms under each of our host names', async () => {
    const browser = await openBrowser();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    await page.route('http://evil.test/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<h1>A page' }),
    );
    await page.goto('http://evil.test/');
    const outcome = await page.evaluate(
      async ([address, call]) => {
        const attempts = [
          fetch(`${address}/api/v1/tools`),
          fetch(`${address}/api/v1/tools/execute`, { method: 'POST', body: call }),
        ];
        return (await Promise.allSettled(attempts)).map(({ status }) => status);
      },
      [baseUrl, CALL] as const,
    );
    expect(outcome).toEqual(['rejected', 'rejected']);

    const { port } = new URL(baseUrl);
    const context = await browser.newContext({ javaScriptEnabled: false });
    for (const host of ['localhost', '127.0.0.1', 'tools.localhost']) {
      const own = await context.newPage();
      await own.goto(`http://${host}:${port}/tools/encode_base64`);
      await own.getByRole('textbox').first().fill('hello');
      const [answer] = await Promise.all([
        own.waitForResponse((response) => response.request().method() === 'POST'),
        own.locator('#tool-form button.main:not([disabled])').click(),
      ]);
      expect(answer.status(), host).toBe(200);
    }
  });
});
