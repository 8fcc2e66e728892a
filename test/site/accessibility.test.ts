/** Every page in both themes before axe, on a phone. */
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../support/chromium.ts';
import { baseUrl } from '../support/service.ts';
import { PATHS } from './paths.ts';

/** Their tables are what axe may find something in, whatever the colours. */
const COMPARISONS = readdirSync('src/content/comparisons')
  .map((name) => `/compare/${basename(name, '.md')}`)
  .filter((path) => !PATHS.includes(path));

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  let page: Page;
  const foreign: string[] = [];
  const problems: string[] = [];
  beforeAll(async () => {
    page = await browser.newPage({ colorScheme, viewport: { width: 360, height: 740 } });
    page.on('request', (request) => {
      const url = request.url();
      if (!/^(data|blob):/.test(url) && !url.startsWith(baseUrl)) foreign.push(url);
    });
    page.on('console', (message) => {
      // A page of an error is an error of the console too.
      if (message.type() === 'error' && !message.text().includes('404')) {
        problems.push(message.text());
      }
    });
  });
  afterAll(() => page.close());

  it.each(colorScheme === 'light' ? [...PATHS, ...COMPARISONS] : PATHS)(
    '%s has no violation that axe finds, and fits a phone',
    async (path) => {
      await page.goto(baseUrl + path, { waitUntil: 'load' });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        360,
      );
      await page.evaluate(axe.source);
      // What the dark theme changes is colours.
      const options: axe.RunOptions =
        colorScheme === 'dark' ? { runOnly: { type: 'rule', values: ['color-contrast'] } } : {};
      const { violations } = await page.evaluate(
        (given) =>
          (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
            ...given,
            resultTypes: ['violations'],
          }),
        options,
      );
      expect(
        violations.map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html }) => html)]),
      ).toEqual([]);
      expect([...foreign, ...problems]).toEqual([]);
    },
  );
});
