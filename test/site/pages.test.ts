import { createHash } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOOLS } from '../../src/tools/registry.ts';
import { openBrowser } from '../support/chromium.ts';
import { baseUrl } from '../support/service.ts';

const TEXT = 'Grüße, 日本 😀';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

describe('the page of hash_text', () => {
  it('shows the digest of what is typed, for every algorithm, offline and without sending anything', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(String(error)));
    await page.goto(`${baseUrl}/tools/hash_text`, { waitUntil: 'networkidle' });
    await context.setOffline(true);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));

    await page.getByLabel('Text', { exact: true }).fill(TEXT);
    for (const [label, name] of [
      ['SHA-256', 'sha256'],
      ['SHA-384', 'sha384'],
      ['SHA-512', 'sha512'],
      ['SHA-1', 'sha1'],
    ] as const) {
      await page.getByLabel('Algorithm').selectOption(label);
      const digest = createHash(name).update(TEXT).digest('hex');
      await expect.poll(() => page.locator('#digest').textContent()).toBe(digest);
    }
    expect(requests).toEqual([]);
    expect(problems).toEqual([]);
    await context.close();
  });

  it('works by keyboard alone and fits a phone', async () => {
    const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
    await page.goto(`${baseUrl}/tools/hash_text`);
    await page.keyboard.type('abc');
    await expect
      .poll(() => page.locator('#digest').textContent())
      .toBe(createHash('sha256').update('abc').digest('hex'));
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(360);
    await page.close();
  });
});

describe('the page at the address itself', () => {
  it('names every tool and shows a call with this service’s address', async () => {
    const page = await browser.newPage();
    await page.goto(baseUrl);
    expect(await page.locator('dt').count()).toBe(TOOLS.length);
    await expect.poll(() => page.locator('pre').textContent()).toContain(baseUrl);
    await page.close();
  });
});
