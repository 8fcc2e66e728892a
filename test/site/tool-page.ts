/** One page of a tool, filled in and read as a person would. */
import type { BrowserContext, Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import { type Files, tryOf, valuesOf } from './tries.ts';

export const VIEWPORT = { width: 1280, height: 900 };
export const PATIENCE = { timeout: 20_000 };

const settled = (page: Page) =>
  page.waitForFunction(() => {
    const isDone = document.getElementById('result')?.dataset.state === 'done';
    return isDone || document.querySelector('.error:not([hidden]), #form-error:not([hidden])');
  });

/** Waits for the expected result without errors. */
export async function seeResult(page: Page, name: string): Promise<void> {
  const { shows, at = '#result .output' } = tryOf(name);
  if (at === '#result .output') await settled(page);
  const problems = page.locator('.error:visible, #form-error:visible, #problem:visible');
  expect(await problems.allInnerTexts()).toEqual([]);
  await vi.waitFor(async () => expect(await page.locator(at).innerText()).toMatch(shows), PATIENCE);
}

/** Opens a page, which must report no error. */
export async function withPage(context: BrowserContext, use: (page: Page) => Promise<void>) {
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  await use(page);
  expect(problems).toEqual([]);
  await page.close();
}

/** Gives every field its value. */
export async function fill(page: Page, name: string, files: Files): Promise<void> {
  const { files: names } = tryOf(name);
  if (names) await page.setInputFiles('#files', names.map(files.at));
  for (const [id, value] of valuesOf(name)) {
    const control = page.locator(`#${id}`);
    const kind = await control.evaluate((element) => element.tagName);
    if (kind === 'SELECT') await control.selectOption(value);
    else await control.fill(value);
  }
}
