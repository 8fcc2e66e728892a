/** Checks that a page does not lose input that was entered before its scripts load. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser } from '../support/chromium.ts';
import { baseUrl } from '../support/service.ts';
import { type Files, makeFiles } from './page-files.ts';

let files: Files;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  files = await makeFiles();
  browser = await openBrowser();
  page = await browser.newPage();
});
afterAll(async () => {
  await browser?.close();
  files?.remove();
});

/** Opens the page at `path`, and runs `early` before any of its scripts loads. */
async function beforeScripts(path: string, early: () => Promise<unknown>): Promise<void> {
  const scripts = Promise.withResolvers<void>();
  await page.route('**/*.js', async (route) => {
    await scripts.promise;
    await route.continue();
  });
  await page.goto(baseUrl + path, { waitUntil: 'commit' });
  await page.locator('footer').waitFor();
  await early();
  scripts.resolve();
  await page.waitForLoadState();
  await page.unroute('**/*.js');
}

it('files chosen before the scripts load are listed, sent, and named in the code example', async () => {
  await beforeScripts('/tools/compress_image', () =>
    page.setInputFiles('#files', files.at('photo.jpg')),
  );
  await expect.poll(() => page.locator('.files .name').innerText()).toContain('photo.jpg');
  await expect.poll(() => page.locator('#calls code').first().textContent()).toContain('photo.jpg');
  await page.locator('#tool-form button.main').click();
  await page.getByText(/^Save photo/).waitFor();
});

it('a slider moved before the scripts load updates its label and the code example', async () => {
  await beforeScripts('/tools/compress_image', () => page.locator('#p-quality').fill('0.3'));
  await expect.poll(() => page.locator('.range output').innerText()).toBe('30 %');
  await expect
    .poll(() => page.locator('#calls code').first().textContent())
    .toContain('"quality":0.3');
});

it('a QR code chosen before the scripts load is decoded', async () => {
  await beforeScripts('/tools/decode_qr_code', () =>
    page.setInputFiles('#files', files.at('code.png')),
  );
  await expect.poll(() => page.locator('#output code').innerText()).toBe('https://example.com/');
});

it('a timestamp entered before the scripts load is converted', async () => {
  await beforeScripts('/tools/convert_timestamp', () =>
    page.getByLabel('Moment', { exact: true }).fill('1735689600'),
  );
  await expect
    .poll(() => page.locator('#result').innerText())
    .toContain('2025-01-01T00:00:00.000Z');
});

it('a passkey button pressed before the scripts load returns to its page with an explanation', async () => {
  await beforeScripts('/developers', async () => {
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL('**/developers/sign-in', { waitUntil: 'commit' });
  });
  expect(await page.getByRole('alert').first().innerText()).toContain('Passkeys need JavaScript');
  expect(await page.getByRole('button', { name: 'Create a trial key' }).isVisible()).toBe(true);
});

it('Enter in the API console before the scripts load keeps the page and the entered text', async () => {
  const request = page.locator('.console').first();
  await beforeScripts('/docs/api/getContent', async () => {
    await page
      .getByLabel('path query')
      .first()
      .evaluate((field: HTMLInputElement) => {
        field.closest('details')!.open = true;
      });
    await page.getByLabel('path query').first().fill('/docs/mcp');
    await page.keyboard.press('Enter');
  });
  expect(page.url()).toBe(`${baseUrl}/docs/api/getContent`);
  expect(await page.getByLabel('path query').first().inputValue()).toBe('/docs/mcp');
  // The code also shows the entered text. The example's other parameters filter a list, so they are cleared.
  expect(await page.locator('.call .tabs code').first().textContent()).toContain('path=%2Fdocs');
  await page.getByLabel('section query').selectOption('');
  await page.getByLabel('limit query').fill('');
  await request.getByRole('button', { name: 'Send' }).click();
  await request.getByText('200 OK').waitFor();
});
