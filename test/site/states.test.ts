/**
 * Checks pages with axe in both themes while they are in use: a running call, a refused call, a filled-in form, search
 * results, and a signed-in page.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { violationsOf } from '../support/axe.ts';
import { openBrowser } from '../support/chromium.ts';
import { openPerson, press, signUp } from '../support/passkey-browser.ts';
import { baseUrl } from '../support/service.ts';
import { type Files, makeFiles } from './page-files.ts';

let files: Files;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  files = await makeFiles();
  browser = await openBrowser();
  page = await browser.newPage({ viewport: { width: 320, height: 740 } });
});
afterAll(async () => {
  await browser?.close();
  files?.remove();
});

const open = (path: string) => page.goto(baseUrl + path);
const start = () => page.locator('#tool-form button.main').click();

/** The states to check. Each function puts the page into its state. */
const STATES: Record<string, () => Promise<unknown>> = {
  'a call that runs': async () => {
    await page.route('**/run', () => {});
    onTestFinished(() => page.unroute('**/run'));
    await open('/tools/shorten_url');
    await page.getByRole('button', { name: 'Try it with a sample' }).click();
    await page.getByRole('button', { name: 'Cancel' }).waitFor();
  },
  'a call that was cancelled': async () => {
    await STATES['a call that runs']!();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled. The result').waitFor();
  },
  'a field error': async () => {
    await open('/tools/format_json');
    await page.fill('#p-json', '{"a":}');
    await start();
    await page.locator('#p-json-error:visible').waitFor();
  },
  'a missing file': async () => {
    await open('/tools/merge_pdf');
    await page.setInputFiles('#files', files.at('first.pdf'));
    await start();
    await page.locator('#files-error:visible').waitFor();
  },
  'ordered files': async () => {
    await open('/tools/images_to_pdf');
    await page.setInputFiles('#files', ['photo.jpg', 'word.png'].map(files.at));
    await page.locator('.files li').nth(1).waitFor();
  },
  'an account-only tool': async () => {
    await open('/tools/humanize_text');
    await page.fill('#p-text', 'It is important to note that.');
    await start();
    await page.locator('#form-error:visible').waitFor();
  },
  'a result with a warning': async () => {
    await open('/tools/generate_qr_code');
    await page.fill('#p-text', 'a');
    await page.fill('#p-size', '22');
    await start();
    await page.locator('.output .notice').waitFor();
  },
  'an invalid pattern': async () => {
    await open('/tools/test_regex');
    await page.fill('#pattern', '(');
    await page.locator('#pattern-error:visible').waitFor();
  },
  'an image without a code': async () => {
    await open('/tools/decode_qr_code');
    await page.setInputFiles('#files', files.at('photo.jpg'));
    await page.locator('#files-error:visible').waitFor();
  },
  'a search in the dialog': async () => {
    await open('/docs');
    await page.keyboard.press('/');
    await page.locator('dialog input').fill('merge two PDFs');
    await page.locator('dialog .hits a').first().waitFor();
  },
  'a chain that ran': async () => {
    await open('/chains?add=encode_url');
    await page.fill('#step0-p-url', 'a b');
    await page.getByRole('button', { name: 'Run the chain' }).click();
    await page.locator('.step .output').waitFor();
  },
  'a chain that is refused': async () => {
    await open('/chains?add=encode_url');
    await page.fill('#step0-p-url', '');
    await page.getByRole('button', { name: 'Run the chain' }).click();
    await page.locator('.step .error:visible, #form-error:visible').first().waitFor();
  },
  'an answer in the API reference': async () => {
    await open('/docs/api/listTools');
    const console_ = page.locator('details.console').first();
    await console_.locator('summary').click();
    await console_.getByRole('button', { name: /send/i }).click();
    await console_.locator('pre:visible').first().waitFor();
  },
  'fields of the API reference that are unfolded': async () => {
    await open('/docs/api/parse_document');
    await page.evaluate(() => {
      for (const fold of document.querySelectorAll('details')) fold.open = true;
    });
  },
};

describe('axe finds no violation in either theme in', () => {
  it.each(Object.keys(STATES))('%s, which also fits a phone', async (name) => {
    await STATES[name]!();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      320,
    );
    expect(await violationsOf(page, name.includes('dialog') ? 'dialog' : 'main')).toEqual([]);
  });

  it('an account with keys and usage, a new key, and a refused call', async () => {
    const person = await openPerson(browser, { viewport: { width: 320, height: 740 } });
    await signUp(person, 'Ada');
    expect(await violationsOf(person.page, 'main')).toEqual([]);
    await person.page.getByLabel('Name', { exact: true }).fill('robot');
    await press(person, 'Create the key');
    const key = await person.page.locator('#key').textContent();
    expect(await violationsOf(person.page, 'main')).toEqual([]);
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    for (const parameters of [{ text: 'x' }, {}]) {
      const body = JSON.stringify({ tool: 'encode_base64', parameters });
      await fetch(`${baseUrl}/api/v1/tools/execute`, { method: 'POST', headers, body });
    }
    await expect
      .poll(
        async () => {
          await person.page.goto(`${baseUrl}/developers`);
          return person.page.locator('svg rect title').count();
        },
        { interval: 500 },
      )
      .toBeGreaterThan(0);
    await person.page.getByText('Show as a table').click();
    expect(await violationsOf(person.page, 'main')).toEqual([]);
    await person.context.close();
  });
});
