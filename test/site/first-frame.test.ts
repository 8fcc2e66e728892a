/** Checks that content that is added after the first frame does not move other content. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../support/chromium.ts';
import { baseUrl } from '../support/service.ts';
import { movedOn, watchShifts } from './shifts.ts';

const VIEWPORT = { width: 1280, height: 800 };

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

describe.each([
  ['with scripts', true],
  ['without scripts', false],
])('an address with a fragment, %s', (_, javaScriptEnabled) => {
  it.each(['/#tools', '/#agent', '/tools/compress_image#about'])(
    'scrolls to the fragment: %s',
    async (path) => {
      const context = await browser.newContext({ viewport: VIEWPORT, javaScriptEnabled });
      const page = await context.newPage();
      await page.goto(baseUrl + path);
      const location = page.locator(path.slice(path.indexOf('#')));
      const top = async () => (await location.boundingBox())?.y ?? -1;
      await expect.poll(top).toBeGreaterThanOrEqual(0);
      await expect.poll(top).toBeLessThan(VIEWPORT.height - 100);
      await context.close();
    },
  );
});

it.each(['screen', 'print'] as const)('every link of a page is rendered: %s', async (media) => {
  const page = await browser.newPage({ viewport: VIEWPORT });
  await page.emulateMedia({ media });
  for (const path of ['/', '/tools/compress_image']) {
    await page.goto(baseUrl + path, { waitUntil: 'networkidle' });
    const skipped = await page.locator('main a').evaluateAll((links) =>
      links
        .filter((link) => !link.closest('[hidden], details:not([open])'))
        .filter((link) => !link.checkVisibility({ contentVisibilityAuto: true }))
        .map((link) => link.textContent),
    );
    expect([path, skipped]).toEqual([path, []]);
  }
  await page.close();
});

it('a reloaded page restores its scroll position', async () => {
  const page = await browser.newPage({ viewport: VIEWPORT });
  const scrolled = () => page.evaluate(() => scrollY);
  await page.goto(`${baseUrl}/tools/compress_image`, { waitUntil: 'load' });
  await page.waitForTimeout(300);
  await page.evaluate(() => scrollTo({ top: 700, behavior: 'instant' }));
  await expect.poll(scrolled).toBe(700);
  await page.reload({ waitUntil: 'load' });
  await expect.poll(scrolled).toBeGreaterThan(600);
  await page.close();
});

it.each(['/chains', '/tools/convert_timestamp', '/tools/test_regex', '/tools/preview_markdown'])(
  '%s has no layout shift after the first frame and while the scripts load',
  async (path) => {
    const page = await browser.newPage({ viewport: VIEWPORT });
    await watchShifts(page);
    await page.goto(baseUrl + path, { waitUntil: 'networkidle' });
    expect(await movedOn(page)).toBeUndefined();
    await page.close();
  },
);

it.each([360, 1280])('the header keeps its layout while it is parsed, at %i px', async (width) => {
  const page = await browser.newPage({ viewport: { width, height: 740 } });
  await page.goto(baseUrl);
  // Removing the elements in reverse order reproduces each state of the header during parsing.
  const moved = await page.evaluate(() => {
    const inner = document.querySelector('.bar > div')!;
    const parts = [...inner.children, ...inner.querySelectorAll('.nav a')];
    const boxOf = (part: Element) => {
      const { x, y } = part.getBoundingClientRect();
      return `${x} ${y}`;
    };
    const before = new Map(parts.map((part) => [part, boxOf(part)]));
    const wrong: string[] = [];
    for (const part of parts.toReversed()) {
      part.remove();
      for (const other of parts.filter(({ isConnected }) => isConnected)) {
        if (boxOf(other) !== before.get(other)) wrong.push(other.outerHTML.slice(0, 60));
      }
    }
    return wrong;
  });
  expect(moved).toEqual([]);
  // The line below the link to the current page overlaps the header's border.
  await page.reload();
  const [line, header] = await page
    .locator('.nav [aria-current], .bar > div')
    .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().bottom));
  expect(line).toBe(header);
  await page.close();
});

it.each([360, 700, 1280])('a long service name overlaps nothing, at %i px', async (width) => {
  const page = await browser.newPage({ viewport: { width, height: 740 } });
  await page.goto(baseUrl);
  const boxes = await page.evaluate(() => {
    document.querySelector('.brand > :last-child')!.textContent = 'Tools of a Company with a Name';
    return [...document.querySelectorAll('.bar .brand, .bar .nav a, .bar .icon, .bar button')].map(
      (part) => part.getBoundingClientRect().toJSON() as DOMRect,
    );
  });
  const covers = (one: DOMRect, other: DOMRect) =>
    one.left < other.right &&
    other.left < one.right &&
    one.top < other.bottom &&
    other.top < one.bottom;
  expect(boxes.filter((one) => boxes.some((other) => other !== one && covers(one, other)))).toEqual(
    [],
  );
  await page.close();
});
