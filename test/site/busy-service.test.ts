/**
 * Tests that calls are retried when the service is too busy. The retries make the system tests independent of the
 * machine's load.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openBrowser, submitForm } from '../support/chromium.ts';
import { fetchOnce } from '../support/patient-fetch.ts';

const FORM = '<!doctype html><form method=post enctype=multipart/form-data><button>Send</button>';
let server: Server;
let browser: Browser;
let address: string;
/** The number of POST requests. */
let calls = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.method === 'POST') calls += 1;
    if (request.method === 'POST' && calls === 1) {
      response.writeHead(503, { 'Retry-After': '0' }).end('busy');
    } else if (request.url?.endsWith('/mcp')) {
      const text = calls === 2 ? 'The worker is busy. Try again in 0 seconds.' : 'done';
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ result: { content: [{ text }], isError: calls === 2 } }));
    } else if (request.method === 'POST' && request.url === '/file') {
      response.setHeader('Content-Disposition', 'attachment; filename="a.txt"');
      response.end('done');
    } else {
      response.setHeader('Content-Type', 'text/html');
      response.end(request.method === 'POST' ? 'done' : FORM);
    }
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  server?.close();
});
beforeEach(() => {
  calls = 0;
});

it('fetch retries a call that returns 503, and fetchOnce does not', async () => {
  expect((await fetchOnce(address, { method: 'POST', body: 'a' })).status).toBe(503);
  calls = 0;
  expect(await (await fetch(address, { method: 'POST', body: 'a' })).text()).toBe('done');
  calls = 0;
  expect(await (await fetch(new Request(address, { method: 'POST', body: 'a' }))).text()).toBe(
    'done',
  );
});

it.each(['/api/mcp', '/api/agent/mcp'])(
  'an MCP call to %s is retried if the result says that the service is busy',
  async (path) => {
    const response = await fetch(address + path, { method: 'POST', body: '{}' });
    expect(await response.json()).toMatchObject({ result: { isError: false } });
    expect(calls).toBe(3);
  },
);

it('a fetch inside a page is retried after 503', async () => {
  const page = await browser.newPage();
  await page.goto(address);
  const text = page.evaluate(async () => (await fetch('/', { method: 'POST', body: 'a' })).text());
  expect(await text).toBe('done');
  await page.close();
});

it('submitForm retries after 503 without scripts, for a page and for a download', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(address);
  expect(await submitForm(page, page.locator('button'))).toBeNull();
  expect(await page.textContent('body')).toBe('done');
  calls = 0;
  await page.goto(`${address}/file`);
  const download = await submitForm(page, page.locator('button'));
  expect(download?.suggestedFilename()).toBe('a.txt');
  await context.close();
});
