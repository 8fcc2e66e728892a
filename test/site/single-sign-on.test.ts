/** Tests a team's service. Callers need an account, and only users of the team's identity provider can create one. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openBrowser } from '../support/chromium.ts';
import { startService, stopService } from '../support/global-setup.ts';
import { OIDC_CLIENT, type OidcStandIn, startOidc } from '../support/oidc-stand-in.ts';
import { fetchOnce } from '../support/patient-fetch.ts';
import { body } from '../support/service.ts';

let provider: OidcStandIn;
let service: ChildProcess;
let baseUrl: string;
const stateDir = mkdtempSync(join(tmpdir(), 'tools-oidc-'));

beforeAll(async () => {
  provider = await startOidc();
  const started = await startService({
    STATE_DIR: stateDir,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: OIDC_CLIENT.id,
    OIDC_CLIENT_SECRET: OIDC_CLIENT.secret,
    OIDC_ALLOWED_DOMAINS: 'example.com, example.org',
    REQUIRE_SIGN_IN: 'on',
  });
  service = started.child;
  baseUrl = started.baseUrl;
});
afterAll(async () => {
  await stopService(service);
  provider.close();
  rmSync(stateDir, { recursive: true });
});
beforeEach(() => {
  provider.mood = 'agrees';
  provider.user = { sub: '7', name: 'Grace', email: 'grace@Example.com', email_verified: true };
});

/** Returns a client that stores cookies and does not follow redirects. */
function newBrowser() {
  const cookies = new Map<string, string>();
  const open = async (address: string, init: RequestInit = {}) => {
    const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { Cookie, Origin: baseUrl, ...init.headers };
    const response = await fetchOnce(address, { ...init, redirect: 'manual', headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value, rest] = /^([^=]+)=([^;]*)(.*)$/.exec(line)!;
      if (/Max-Age=0/.test(rest!)) cookies.delete(name!);
      else cookies.set(name!, value!);
    }
    return response;
  };
  return { cookies, open };
}

const locationOf = (response: Response) => response.headers.get('location')!;

/** Signs in to the provider. Returns the callback address without requesting it. */
async function callback({ open }: ReturnType<typeof newBrowser>): Promise<string> {
  const begun = await open(`${baseUrl}/developers/oidc`);
  expect(begun.status).toBe(303);
  return locationOf(await fetch(locationOf(begun), { redirect: 'manual' }));
}

async function signIn(browser = newBrowser()) {
  const response = await browser.open(await callback(browser));
  return { ...browser, response };
}

const pageOf = async ({ open }: ReturnType<typeof newBrowser>) =>
  (await open(`${baseUrl}/developers`)).text();

const encode = (headers: Record<string, string> = {}) =>
  fetch(`${baseUrl}/api/v1/tools/execute`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ tool: 'encode_base64', parameters: { text: 'hello' } }),
  });

/** Creates an API key in a signed-in browser. */
async function newKey({ open }: ReturnType<typeof newBrowser>): Promise<string> {
  const created = await open(`${baseUrl}/developers/keys`, {
    method: 'POST',
    body: new URLSearchParams({ name: 'laptop' }),
  });
  return /tsk_\w{38}/.exec(await created.text())![0];
}

describe('single sign-on', () => {
  it('takes a user in Chromium from a refused call to an account with a working call', async () => {
    const browser = await openBrowser();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const search = `${baseUrl}/search?q=merge`;
    await page.goto(search);
    await page.getByText('This service requires an account. Sign in at /developers').waitFor();
    await page.goto(`${baseUrl}/developers`);
    await page.getByRole('link', { name: 'Sign in with single sign-on' }).click();
    await page.getByText('Signed in as Grace').waitFor();
    await page.goto(search);
    await page.getByRole('link', { name: 'Merge PDFs' }).first().waitFor();
  });

  it('creates an account the first time and finds it again, even after the name and email change', async () => {
    const first = await signIn();
    expect(locationOf(first.response)).toBe('/developers?done=welcome');
    expect(await pageOf(first)).toContain('Signed in as <strong>Grace</strong>');
    const id = /Account ID: <code>([^<]+)/.exec(await pageOf(first))![1]!;
    provider.user = { sub: '7', name: 'Grace Hopper', email: 'hopper@example.org' };
    expect(await pageOf(await signIn())).toContain(id);
    provider.user = { sub: '8', email: 'another@example.org' };
    const other = await pageOf(await signIn());
    expect(other).toContain('Signed in as <strong>another@example.org</strong>');
    expect(other).not.toContain(id);
  });

  it.each([
    ['declines', 400, 'You declined to sign in'],
    ['breaks', 502, 'did not confirm this sign-in'],
    ['signs with another key', 502, 'did not confirm this sign-in'],
    ['states another nonce', 502, 'did not confirm this sign-in'],
    ['states another audience', 502, 'did not confirm this sign-in'],
    ['states another issuer', 502, 'did not confirm this sign-in'],
    ['issues an expired token', 502, 'did not confirm this sign-in'],
    ['hands out another code', 502, 'did not confirm this sign-in'],
    ['drops the connection', 503, 'The identity provider is not responding'],
  ] as const)('signs nobody in when the provider %s', async (mood, status, text) => {
    provider.mood = mood;
    const browser = await signIn();
    expect(browser.response.status).toBe(status);
    expect(await browser.response.text()).toContain(text);
    expect(await pageOf(browser)).not.toContain('Signed in as');
  });

  it.each([
    ['of another domain', { email: 'eve@example.net', email_verified: true }],
    ['of a subdomain', { email: 'eve@evil.example.com', email_verified: true }],
    ['that is unverified', { email: 'eve@example.com', email_verified: false }],
    ['with a second @', { email: 'eve@example.com@example.net' }],
    ['that is missing', {}],
  ])('refuses an email address %s', async (_, claims) => {
    provider.user = { sub: 'eve', ...claims };
    const browser = await signIn();
    expect(browser.response.status).toBe(403);
    expect(await browser.response.text()).toContain(
      'accepts only verified email addresses at example.com, example.org',
    );
    expect(await pageOf(browser)).not.toContain('Signed in as');
  });

  it('accepts a callback once, and only in the browser that started the sign-in', async () => {
    const browser = newBrowser();
    const address = await callback(browser);
    expect((await newBrowser().open(address)).status).toBe(400);
    const otherState = new URL(address);
    otherState.searchParams.set('state', 'x');
    const cookies = new Map(browser.cookies);
    expect((await browser.open(otherState.href)).status).toBe(400);
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    expect((await browser.open(address)).status).toBe(303);
    expect((await browser.open(address)).status).toBe(400);
  });
});

describe('REQUIRE_SIGN_IN', () => {
  it('refuses anonymous callers at every endpoint except stored links', async () => {
    const { paths, info, security } = await body(await fetch(`${baseUrl}/api/v1/openapi.json`));
    const open: string[] = [];
    for (const [path, operations] of Object.entries<object>(paths)) {
      for (const method of Object.keys(operations).filter((name) => name !== 'parameters')) {
        const address = baseUrl + path.replaceAll(/\{(\w+)\}/g, 'some-$1');
        const response = await fetchOnce(address, {
          method: method.toUpperCase(),
          headers: { 'Content-Type': 'application/json' },
          ...(method === 'post' && { body: '{}' }),
        });
        await response.body?.cancel();
        if (response.status !== 401) open.push(`${method} ${path}`);
      }
    }
    expect(open.sort()).toEqual(['delete /files/{id}/{filename}', 'get /files/{id}/{filename}']);
    expect(info.description).toContain("needs an account's API key");
    expect(security).toEqual([{ bearer: [] }]);
    const { authentication } = await body(await fetch(`${baseUrl}/.well-known/mcp.json`));
    expect(authentication.required).toBe(true);
  });

  it('refuses anonymous callers on every surface with 401 and invalid_key', async () => {
    const post = (path: string, value: unknown) =>
      fetch(baseUrl + path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
        body: JSON.stringify(value),
      });
    const call = { tool: 'encode_base64', parameters: { text: 'hello' } };
    const refused = [
      await encode(),
      await fetch(`${baseUrl}/api/v1/tools`),
      await post('/api/v1/tools/chain', { steps: [call] }),
      await post('/api/v1/search', { query: 'pdf' }),
      await post('/api/v1/uploads', { filename: 'a.txt' }),
      await post('/api/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    ];
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 401));
    expect(await body(refused[0]!)).toMatchObject({
      code: 'invalid_key',
      error: expect.stringContaining('requires an account'),
    });
  });

  it('serves a signed-in browser, its key, its stored links and its upload addresses', async () => {
    const browser = await signIn();
    const Authorization = `Bearer ${await newKey(browser)}`;
    expect((await encode({ Authorization })).status).toBe(200);
    const form = new FormData();
    form.append('tool', 'upload_file');
    form.append('file', new File(['shared'], 'note.txt', { type: 'text/plain' }));
    const uploaded = await body(
      await fetch(`${baseUrl}/api/v1/tools/execute`, {
        method: 'POST',
        headers: { Authorization },
        body: form,
      }),
    );
    expect(await (await fetch(uploaded.url)).text()).toBe('shared');
    const address = await body(
      await fetch(`${baseUrl}/api/v1/uploads`, {
        method: 'POST',
        headers: { Authorization, 'Content-Type': 'application/json' },
        body: JSON.stringify({ filename: 'a.txt' }),
      }),
    );
    const put = await fetch(address.uploadUrl, { method: 'PUT', body: 'sent without a key' });
    expect(put.status).toBe(200);
  });

  it('offers neither trial keys nor accounts without single sign-on', async () => {
    const { open } = newBrowser();
    const page = await (await open(`${baseUrl}/developers`)).text();
    expect(page).toContain('href="/developers/oidc"');
    expect(page).not.toContain('trial-key');
    expect(page).not.toContain('/developers/sign-up');
    const trial = await open(`${baseUrl}/developers/trial-key`, {
      method: 'POST',
      body: new URLSearchParams(),
    });
    expect(trial.status).toBe(403);
    const signUp = await open(`${baseUrl}/developers/sign-up/options`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"name":"Eve"}',
    });
    expect(signUp.status).toBe(403);
  });
});
