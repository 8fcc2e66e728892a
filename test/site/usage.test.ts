import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountKey } from '../support/account-key.ts';
import { openBrowser } from '../support/chromium.ts';
import { startService, stopService } from '../support/global-setup.ts';
import { PNG_SIGNATURE } from '../support/images.ts';
import { cookieOf, openPerson, press, signUp } from '../support/passkey-browser.ts';
import { body } from '../support/service.ts';

const STATE_DIR = mkdtempSync(join(tmpdir(), 'tools-usage-'));
let browser: Browser;
let service: ChildProcess;
let baseUrl: string;
beforeAll(async () => {
  browser = await openBrowser();
  const started = await startService({ STATE_DIR, RATE_LIMITS: 'on' });
  service = started.child;
  baseUrl = started.baseUrl;
});
afterAll(async () => {
  await browser.close();
  await stopService(service);
  rmSync(STATE_DIR, { recursive: true });
});

const call = (headers: Record<string, string>, tool = 'encode_base64') =>
  fetch(`${baseUrl}/api/v1/tools/execute`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ tool, parameters: { text: 'x' } }),
  });
const usage = async (headers: Record<string, string>) =>
  body(await fetch(`${baseUrl}/api/v1/usage`, { headers }));
const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

/**
 * Returns the quota of a tool for accounts. The tool's page does not show the quota, because the test server has no
 * model.
 */
const fetchedLeft = (page: Page) =>
  page.evaluate(async () => {
    const headers = { Accept: 'text/plain' };
    return (await fetch('/tools/humanize_text/left', { headers })).text();
  });

describe('the remaining quota', () => {
  it('is shown on a tool page before the first run, with and without scripts, and costs nothing to read', async () => {
    const page = await browser.newPage();
    const left = async (tool: string) => {
      await page.goto(`${baseUrl}/tools/${tool}`);
      await page.locator('#left a[href$="/left"]').waitFor({ state: 'detached' });
      return page.locator('#left').textContent();
    };
    // These calls leave fewer units of the general limit than of the tool's own limit. They come from the page's IP
    // address, which differs from the address of `call`.
    await page.goto(`${baseUrl}/tools/shorten_url`);
    await page.evaluate(async () => {
      const init = { method: 'POST', body: new FormData() };
      init.body.set('tool', 'decode_base64');
      init.body.set('parameters', '{"encoded":"eA=="}');
      for (let number = 0; number < 10; number++) await fetch('/tools/decode_base64/run', init);
    });
    const advice = "Sign in for 60 a minute. This tool's own limit of 30 an hour still applies.";
    const said = `You have 25 of 35 free runs left this hour. ${advice}`;
    expect(await left('shorten_url')).toBe(said);
    expect(await left('shorten_url')).toBe(said);
    await page.fill('#p-url', 'https://example.com/');
    await page.locator('#tool-form button.main').click();
    await page.locator('#result[data-state="done"]').waitFor();
    // The run reports the same limit as the page, although the tool's own limit has more units left.
    const after = `You have 24 of 35 free runs left this hour. ${advice}`;
    await expect.poll(() => page.locator('#left').textContent()).toBe(after);
    expect(await left('shorten_url')).toBe(after);
    // The limit of this tool has the fewest remaining units.
    expect(await left('merge_pdf')).toBe('You have 20 of 20 runs left this hour.');
    expect(await fetchedLeft(page)).toBe('Sign in to see how many runs are left.');
    await page.close();

    const context = await browser.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto(`${baseUrl}/tools/shorten_url`);
    await plain.getByRole('link', { name: 'Show remaining quota' }).click();
    expect(await plain.locator('#left').textContent()).toMatch(/^You have 24 of 35/);
    await context.close();
  });

  it('is used by a chain once for each step and each file, which the page says beforehand', async () => {
    const page = await browser.newPage();
    await page.goto(`${baseUrl}/chains?add=compress_image`);
    await page.getByRole('button', { name: 'Images to PDF' }).click();
    const cost = page.locator('#cost');
    await expect.poll(() => cost.innerText()).toBe('A run of this chain counts as 2 tool runs');
    await expect
      .poll(() => page.locator('#left').innerText())
      .toMatch(/^You have \d+ of \d+ (free )?runs .*left/);
    const files = ['a.png', 'b.png', 'c.png'].map((name) => ({
      name,
      mimeType: 'image/png',
      buffer: PNG_SIGNATURE,
    }));
    await page.setInputFiles('#files', files);
    await expect.poll(() => cost.innerText()).toBe('A run on these 3 files counts as 6 tool runs');
    await page.getByRole('button', { name: 'Remove c.png' }).click();
    await expect.poll(() => cost.innerText()).toBe('A run on these 2 files counts as 4 tool runs');
    await page.close();
  });

  it('is that of the account for a signed-in user', async () => {
    const person = await openPerson(browser);
    await signUp(person, 'Left', baseUrl);
    const text = await fetchedLeft(person.page);
    expect(text).toMatch(/^You have \d+ of \d+ runs left/);
    expect(text).not.toContain('Sign in');
    await person.context.close();
  });
});

describe('usage', () => {
  it('of a key is counted by tool with remaining quota and last use, and shown to its owner as a chart', async () => {
    const person = await openPerson(browser);
    const { page } = person;
    await signUp(person, 'Counted', baseUrl);
    await page.getByLabel('Name', { exact: true }).fill('robot');
    await press(person, 'Create the key');
    const key = (await page.locator('#key').textContent()) ?? '';
    for (let number = 0; number < 3; number++) {
      expect((await call(bearer(key))).status).toBe(200);
    }
    expect((await call(bearer(key), 'decode_base64')).status).toBe(400);
    const rpc = [{ method: 'ping' }, { method: 'tools/list' }, { method: 'no/such' }, {}];
    for (const message of [...rpc, rpc]) {
      const request = (one: object) => ({ jsonrpc: '2.0', id: 1, ...one });
      const posted = Array.isArray(message) ? message.map(request) : request(message);
      await fetch(`${baseUrl}/api/mcp`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...bearer(key) },
        body: JSON.stringify(posted),
      });
    }
    // An invalid call also uses a unit.
    const counted = { encode_base64: 3, decode_base64: 1, mcp: 8 };
    await expect
      .poll(
        async () => {
          const { days } = await usage(bearer(key));
          const tools = days.filter(({ tool }: { tool: string }) => tool in counted);
          return Object.fromEntries(
            tools.map(({ tool, calls }: { tool: string; calls: number }) => [tool, calls]),
          );
        },
        { interval: 250 },
      )
      .toEqual(counted);
    const { keys } = await usage(bearer(key));
    expect(keys[0].today).toMatchObject({ requests: 12, remaining: 9988 });

    await page.goto(`${baseUrl}/developers`);
    const bars = await page.locator('svg rect title').allTextContents();
    expect(bars.join()).toMatch(/encode_base64: 3/);
    const facts = await page.locator('.facts').textContent();
    expect(facts).toMatch(/Last used20\d\d-/);
    await page.getByText('Show as a table').click();
    expect(await page.getByRole('cell', { name: 'encode_base64' }).count()).toBe(1);
    await person.context.close();
  });

  it('of a signed-in browser counts for its account, with the quota of an API key and account-only tools', async () => {
    const person = await openPerson(browser);
    await signUp(person, 'Browsing', baseUrl);
    const Cookie = await cookieOf(person);
    const response = await call({ Cookie });
    expect(response.status).toBe(200);
    expect(response.headers.get('RateLimit-Policy')).toContain('q=60;w=60');
    expect((await call({ Cookie }, 'humanize_text')).status).not.toBe(401);
    expect((await call({}, 'humanize_text')).status).toBe(401);
    // A page from another origin may have sent this request. The service treats it as anonymous if the origin is
    // allowed, and otherwise refuses it.
    const foreign = await call({ Cookie, Origin: 'http://localhost:1' }, 'humanize_text');
    expect(foreign.status).toBe(401);
    const refused = await call({ Cookie, Origin: 'https://evil.example' }, 'humanize_text');
    expect(refused.status).toBe(403);
    await expect
      .poll(async () => (await usage({ Cookie })).days, { interval: 250 })
      .toContainEqual(expect.objectContaining({ tool: 'encode_base64', calls: 1 }));
    await person.context.close();
  });

  it('lists refused calls with their status, also for a key whose quota is used up', async () => {
    const key = bearer(await accountKey(STATE_DIR, { 'requests-per-day': '2' }));
    const statuses = [];
    for (let number = 0; number < 3; number++) statuses.push((await call(key)).status);
    expect(statuses).toEqual([200, 200, 429]);
    await expect
      .poll(async () => (await usage(key)).refused, { interval: 250 })
      .toMatchObject([{ tool: 'encode_base64', status: 429, code: 'quota_exceeded' }]);
    expect((await usage(key)).keys[0].today).toMatchObject({ requests: 2, limit: 2, remaining: 0 });
  });
});

describe('anonymous account requests', () => {
  it('are limited to 3 trial keys a day per address, then return 429 on the page', async () => {
    const form = () =>
      fetch(`${baseUrl}/developers/trial-key`, {
        method: 'POST',
        headers: { Origin: baseUrl, 'Content-Type': 'application/x-www-form-urlencoded' },
        body: '',
      });
    for (let number = 0; number < 3; number++) expect((await form()).status).toBe(200);
    const refused = await form();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(80_000);
    expect(await refused.text()).toContain('The limit is 3 trial keys per day');
  });

  it('are limited to 10 recovery codes an hour per address', async () => {
    const statuses = [];
    for (let number = 0; number < 11; number++) {
      const response = await fetch(`${baseUrl}/developers/recover`, {
        method: 'POST',
        headers: { Origin: baseUrl, 'Content-Type': 'application/x-www-form-urlencoded' },
        body: 'code=aaaa-bbbb-cccc-dddd',
      });
      statuses.push(response.status);
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
  });
});

describe('a reached limit', () => {
  it('is shown on the tool page with one retry time and a way to raise the limit', async () => {
    const page = await browser.newPage();
    await page.goto(`${baseUrl}/tools/shorten_url`);
    await page.evaluate(async () => {
      const init = { method: 'POST', body: new FormData() };
      init.body.set('tool', 'decode_base64');
      init.body.set('parameters', '{"encoded":"eA=="}');
      const run = () => fetch('/tools/decode_base64/run', init);
      while ((await run()).status !== 429);
    });
    await page.fill('#p-url', 'https://example.com/');
    await page.locator('#tool-form button.main').click();
    await page.locator('#left').getByRole('link', { name: 'Sign in' }).waitFor();
    const told = page.locator('#form-error');
    await expect
      .poll(() => told.textContent())
      .toMatch(
        /^You have used your 35 free runs this hour\. .* Sign in to raise this limit to 60 per minute\.$/,
      );
    expect((await told.textContent())?.match(/Try again/g)).toHaveLength(1);
    expect(await told.getByRole('link', { name: 'Sign in' }).count()).toBe(1);
    await page.close();
  });

  it('is shown once above the files of a batch, with a link to sign in', async () => {
    const page = await browser.newPage();
    await page.goto(`${baseUrl}/tools/compress_image`);
    const files = ['a.png', 'b.png', 'c.png'].map((name) => ({
      name,
      mimeType: 'image/png',
      buffer: PNG_SIGNATURE,
    }));
    await page.setInputFiles('#files', files);
    await page.getByText('3 files count as 3 runs.').waitFor();
    await page.locator('#tool-form button.main').click();
    await page.getByText('0 of 3 done').waitFor();
    const reason = page.locator('#result .notice.bad');
    await expect.poll(() => page.getByText('Not run.').count()).toBe(3);
    expect(await reason.innerText()).toMatch(
      /^You have used your 35 free runs this hour\. [^\n]* to 60 per minute\.$/,
    );
    expect(await reason.getByRole('link', { name: 'Sign in' }).count()).toBe(1);
    await page.close();
  });

  it('is shown on the home page to people, with a link to sign in', async () => {
    const page = await browser.newPage();
    await page.goto(baseUrl);
    await page.getByRole('button', { name: 'Run it with a sample' }).click();
    const problem = page.locator('#try-problem');
    await expect
      .poll(() => problem.textContent())
      .toMatch(/^You have used your 35 free runs this hour\. .* to 60 per minute\.$/);
    await problem.getByRole('link', { name: 'Sign in' }).click();
    await page.waitForURL('**/developers');
    await page.close();
  });

  it('is shown in the search, with what to do', async () => {
    const page = await browser.newPage();
    await page.goto(`${baseUrl}/docs`);
    await page.evaluate(() =>
      Promise.all(Array.from({ length: 30 }, () => fetch('/search?q=merge'))),
    );
    await page.keyboard.press('/');
    await page.locator('dialog input').fill('merge');
    // Typing does not use up the limit, because only submitted searches count. The search still finds the tool.
    await page.locator('dialog .hits a[href="/tools/merge_pdf"]').waitFor();
    await page.locator('dialog .every-text').click();
    const notice = page.locator('main .notice.bad');
    expect(await notice.textContent()).toMatch(
      /^The limit is 30 searches per minute\. Try again in \d+ seconds?\.$/,
    );
    expect(await page.locator('main .hits a').first().getAttribute('href')).toBe(
      '/tools/merge_pdf',
    );
    const none = await page.goto(`${baseUrl}/search?q=xyzzyplugh`);
    expect(none?.status()).toBe(429);
    expect(Number(none?.headers()['retry-after'])).toBeGreaterThan(0);
    await page.getByText('No name matches xyzzyplugh.').waitFor();
    await page.close();
  });
});
