/** Checks every page with axe, in both themes, at phone size. */
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { violationsOf } from '../support/axe.ts';
import { openBrowser } from '../support/chromium.ts';
import { someOf } from '../support/matrix.ts';
import { baseUrl } from '../support/service.ts';
import { PATHS, TOOL_PATHS } from './paths.ts';
import { movedOn, watchShifts } from './shifts.ts';

/** The pages that contain tables. */
const COMPARISONS = readdirSync('src/content/comparisons')
  .map((name) => `/compare/${basename(name, '.md')}`)
  .filter((path) => !PATHS.includes(path));

let browser: Browser;
let page: Page;
const foreign: string[] = [];
const problems: string[] = [];
beforeAll(async () => {
  browser = await openBrowser();
  page = await browser.newPage({ viewport: { width: 320, height: 740 } });
  await watchShifts(page);
  page.on('request', (request) => {
    const url = request.url();
    if (!/^(data|blob):/.test(url) && !url.startsWith(baseUrl)) foreign.push(url);
  });
  page.on('console', (message) => {
    // The browser also logs an error page's 404 status to the console.
    if (message.type() === 'error' && !message.text().includes('404')) {
      problems.push(message.text());
    }
  });
});
afterAll(() => browser.close());

/**
 * The pages of tools differ only in their forms, so only some of them are checked here. test/site/every-tool.test.ts
 * checks all forms.
 */
const CHECKED = [
  ...PATHS.filter((path) => !TOOL_PATHS.includes(path)),
  ...someOf(TOOL_PATHS, 3),
  ...someOf(COMPARISONS, 3),
];

it.each(CHECKED)(
  '%s has no axe violation in either theme, fits a phone, and has no layout shift',
  async (path) => {
    await page.goto(baseUrl + path, { waitUntil: 'load' });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      320,
    );
    expect(await movedOn(page)).toBeUndefined();
    expect(await violationsOf(page)).toEqual([]);
    expect([...foreign, ...problems]).toEqual([]);
  },
);
