import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBrowser } from '../support/chromium.ts';
import { CLIENT, type GithubStandIn, startGithub } from '../support/github-stand-in.ts';
import { startService, stopService } from '../support/global-setup.ts';
import { cookieOf, openPerson, press, signUp } from '../support/passkey-browser.ts';

let browser: Browser;
let github: GithubStandIn;
let service: ChildProcess;
let baseUrl: string;
const stateDir = mkdtempSync(join(tmpdir(), 'tools-github-'));

beforeAll(async () => {
  browser = await openBrowser();
  github = await startGithub();
  const started = await startService({
    STATE_DIR: stateDir,
    GITHUB_CLIENT_ID: CLIENT.id,
    GITHUB_CLIENT_SECRET: CLIENT.secret,
    GITHUB_URL: github.url,
    GITHUB_API_URL: `${github.url}/api`,
  });
  service = started.child;
  baseUrl = started.baseUrl;
});
afterAll(async () => {
  await browser.close();
  await stopService(service);
  github.close();
  rmSync(stateDir, { recursive: true });
});
beforeEach(() => {
  github.mood = 'agrees';
});

/** Opens /developers as a new visitor with this GitHub account. */
async function visitor(id: number, login: string) {
  github.user = { id, login };
  const person = await openPerson(browser);
  await person.page.goto(`${baseUrl}/developers`);
  return person;
}

describe('signing in with GitHub', () => {
  it('creates an account the first time and finds it again, even after the login changes', async () => {
    const person = await visitor(7, 'hopper');
    await press(person, 'Continue with GitHub');
    expect(person.page.url()).toBe(`${baseUrl}/developers?done=welcome`);
    expect(await person.page.getByText('Signed in as hopper').count()).toBe(1);
    await person.page.getByLabel('Name', { exact: true }).fill('kept');
    await press(person, 'Create the key');
    await press(person, 'Sign out');
    github.user = { id: 7, login: 'grace-hopper' };
    await press(person, 'Continue with GitHub');
    expect(await person.page.getByText('kept').count()).toBeGreaterThan(0);
    expect(await person.page.getByText('grace-hopper').count()).toBe(1);
    expect(person.problems).toEqual([]);
    await person.context.close();
  });

  it('connects GitHub to an account with a passkey, and disconnects it only while a passkey remains', async () => {
    const person = await visitor(8, 'linus');
    await signUp(person, 'Linus', baseUrl);
    await press(person, 'Connect GitHub');
    expect(await person.page.getByText('You can now sign in with GitHub too').count()).toBe(1);
    await press(person, 'Sign out');
    await press(person, 'Continue with GitHub');
    expect(await person.page.getByText('Signed in as Linus').count()).toBe(1);
    await press(person, 'Disconnect GitHub');
    expect(await person.page.getByRole('button', { name: 'Connect GitHub' }).count()).toBe(1);
    await person.context.close();
  });

  it('refuses to connect a GitHub user who already has an account', async () => {
    const first = await visitor(9, 'taken');
    await press(first, 'Continue with GitHub');
    await first.context.close();
    const second = await visitor(9, 'taken');
    await signUp(second, 'Second', baseUrl);
    await press(second, 'Connect GitHub');
    expect(await second.page.getByRole('alert').first().textContent()).toContain(
      'is connected to another account',
    );
    await second.context.close();
  });

  it.each([
    ['declines', 'You declined'],
    ['breaks', 'GitHub could not be reached'],
    ['redirects', 'GitHub could not be reached'],
    ['hands out another code', 'GitHub did not confirm this sign-in'],
  ] as const)('shows a message when GitHub %s', async (mood, text) => {
    const person = await visitor(10, 'unlucky');
    github.mood = mood;
    await press(person, 'Continue with GitHub');
    expect(await person.page.getByRole('alert').first().textContent()).toContain(text);
    expect(await person.page.getByText('Signed in as').count()).toBe(0);
    await person.context.close();
  });

  it('accepts a callback once, and only in the browser that started the sign-in', async () => {
    const person = await visitor(11, 'victim');
    const [back] = await Promise.all([
      person.page.waitForRequest((request) => request.url().includes('/github/callback')),
      press(person, 'Continue with GitHub'),
    ]);
    const cookies = (await back.allHeaders()).cookie ?? '';
    expect(cookies).toContain('github-');
    const requested = github.requested.length;
    // The service refuses a callback from another browser (login CSRF) and a replay in the same browser. It also
    // refuses a missing or wrong `state`.
    const url = new URL(back.url());
    const otherState = new URL(url);
    otherState.searchParams.set('state', 'x');
    for (const [address, cookie] of [
      [url, ''],
      [url, await cookieOf(person)],
      [otherState, cookies],
      [new URL('/developers/github/callback', url), cookies],
      [new URL('/developers/github/callback?state=&code=x', url), 'github-1=.'],
    ] as const) {
      const response = await fetch(address, { headers: { Cookie: cookie }, redirect: 'manual' });
      expect(response.status).toBe(400);
      expect(response.headers.getSetCookie().join()).not.toContain('session');
    }
    expect(github.requested.length).toBe(requested);
    await person.context.close();
  });

  it('stores state and verifier in an HttpOnly cookie for ten minutes', async () => {
    const response = await fetch(`${baseUrl}/developers/github`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: baseUrl, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'redirect_uri=https://evil.example&next=//evil.example',
    });
    expect(response.status).toBe(303);
    const address = new URL(response.headers.get('location')!);
    expect(address.origin).toBe(github.url);
    expect(address.searchParams.get('redirect_uri')).toBe(`${baseUrl}/developers/github/callback`);
    expect(response.headers.get('set-cookie')).toMatch(
      /^github-\d+=\w{32}\.\w{64}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });
});
