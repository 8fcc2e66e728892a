/** Fills in a tool's page with the tool's sample call, and reads the result from the page. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import { isExecutable } from '../../src/catalogue/catalogue.ts';
import { TOOLS } from '../../src/tools/registry.ts';
import { makeSampleFiles } from '../content/sample-files.ts';
import { isRepeated } from '../support/chromium.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { type Sample, sampleOf } from '../support/sample.ts';
import { baseUrl } from '../support/service.ts';

export const ALL = TOOLS.map(({ name }) => name);
export const EXECUTABLE = TOOLS.filter(isExecutable).map(({ name }) => name);
export const SAMPLES: Record<string, Sample> = Object.fromEntries(
  await Promise.all(TOOLS.map(async (tool) => [tool.name, await sampleOf(tool)])),
);

export const VIEWPORT = { width: 1280, height: 900 };
export const PATIENCE = { timeout: PATIENCE_MS };

/** Returns the values of the fields by element ID. */
export function valuesOf(name: string): Map<string, string> {
  const { parameters, at } = SAMPLES[name]!;
  const prefix = at ? '' : 'p-';
  return new Map(
    Object.entries(parameters!).map(([field, value]) => [
      prefix + field,
      [value].flat().join('\n'),
    ]),
  );
}

export interface SampleFolder {
  at(name: string): string;
  remove(): void;
}

/** Creates the sample files in a temporary folder. */
export async function openFiles(): Promise<SampleFolder> {
  const folder = mkdtempSync(join(tmpdir(), 'tools-every-'));
  const names = Object.values(SAMPLES).flatMap(({ files = [] }) => files);
  await makeSampleFiles(folder, names);
  return {
    at: (name) => join(folder, name),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/**
 * Waits for the state `attached`. The default, `visible`, would be checked in every frame, and the page draws 60 frames
 * per second while a tool runs.
 */
const settled = (page: Page) =>
  page
    .locator('#result[data-state="done"], .error:not([hidden]), #form-error:not([hidden])')
    .first()
    .waitFor({ state: 'attached' });

/** Waits for the expected result, and checks that the page shows no error. */
export async function seeResult(page: Page, name: string): Promise<void> {
  const { shows, at = '#result .output' } = SAMPLES[name]!;
  if (at === '#result .output') await settled(page);
  const problems = page.locator('.error:visible, #form-error:visible, #problem:visible');
  expect(await problems.allInnerTexts()).toEqual([]);
  await vi.waitFor(async () => expect(await page.locator(at).innerText()).toMatch(shows), PATIENCE);
}

/** Runs `use` with a new page. Fails if the page reports an error. */
export async function withPage(context: BrowserContext, use: (page: Page) => Promise<void>) {
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !isRepeated(message.text())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  await use(page);
  expect(problems).toEqual([]);
  await page.close();
}

/** Enters the value of every field. */
export async function fill(page: Page, name: string, files: SampleFolder): Promise<void> {
  const { files: names } = SAMPLES[name]!;
  if (names) await page.setInputFiles('#files', names.map(files.at));
  await page.locator('#tool-form details:not([open]) > summary').evaluateAll((summaries) => {
    for (const summary of summaries) (summary as HTMLElement).click();
  });
  for (const [id, value] of valuesOf(name)) {
    const control = page.locator(`#${id}`);
    const kind = await control.evaluate((element) => element.tagName);
    if (kind === 'SELECT') await control.selectOption(value);
    else await control.fill(value);
  }
}

/** Opens a tool's page and waits until its form can be submitted. */
export async function openTool(page: Page, name: string): Promise<void> {
  await page.goto(`${baseUrl}/tools/${name}`);
  await page.locator('#tool-form button.main:disabled').first().waitFor({ state: 'detached' });
}
