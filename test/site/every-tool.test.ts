/** Every tool's page runs its tool with a real input: by mouse, by keyboard alone, and without scripts. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, FileChooser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { isExecutable } from '../../src/catalogue/catalogue.ts';
import { TOOLS } from '../../src/tools/registry.ts';
import { makeSampleFiles } from '../content/sample-files.ts';
import { violationsOf } from '../support/axe.ts';
import { openBrowser } from '../support/chromium.ts';
import { cookieOf, openPerson, type Person, signUp } from '../support/passkey-browser.ts';
import { type Sample, sampleOf } from '../support/sample.ts';
import { baseUrl } from '../support/service.ts';

const VIEWPORT = { width: 1280, height: 900 };
/** More than the focusable elements of any page. */
const MOST_STOPS = 60;
const PATIENCE = { timeout: 20_000 };

const ALL = TOOLS.map(({ name }) => name);
const EXECUTABLE = TOOLS.filter(isExecutable).map(({ name }) => name);
const SAMPLES: Record<string, Sample> = Object.fromEntries(
  await Promise.all(TOOLS.map(async (tool) => [tool.name, await sampleOf(tool)])),
);

/** The value of each field, by the field's id. */
function valuesOf(name: string): Map<string, string> {
  const { parameters, at } = SAMPLES[name]!;
  const prefix = at ? '' : 'p-';
  return new Map(
    Object.entries(parameters!).map(([field, value]) => [
      prefix + field,
      [value].flat().join('\n'),
    ]),
  );
}

const folder = mkdtempSync(join(tmpdir(), 'tools-every-'));
const fileAt = (name: string) => join(folder, name);
let browser: Browser;
let person: Person;
beforeAll(async () => {
  await makeSampleFiles(
    folder,
    Object.values(SAMPLES).flatMap(({ files = [] }) => files),
  );
  browser = await openBrowser();
  person = await openPerson(browser, { viewport: VIEWPORT });
  await signUp(person, 'Ada');
}, 60_000);
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

const settled = (page: Page) =>
  page.waitForFunction(() => {
    const isDone = document.getElementById('result')?.dataset.state === 'done';
    return isDone || document.querySelector('.error:not([hidden]), #form-error:not([hidden])');
  });

/** Waits for the result, which must be that of the sample, and no problem beside it. */
async function seeResult(page: Page, name: string): Promise<void> {
  const { shows, at = '#result .output' } = SAMPLES[name]!;
  if (at === '#result .output') await settled(page);
  const problems = page.locator('.error:visible, #form-error:visible, #problem:visible');
  expect(await problems.allInnerTexts()).toEqual([]);
  await vi.waitFor(async () => expect(await page.locator(at).innerText()).toMatch(shows), PATIENCE);
}

async function withPage(context: BrowserContext, use: (page: Page) => Promise<void>) {
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

async function fill(page: Page, name: string): Promise<void> {
  const { files: names } = SAMPLES[name]!;
  if (names) await page.setInputFiles('#files', names.map(fileAt));
  for (const [id, value] of valuesOf(name)) {
    const control = page.locator(`#${id}`);
    const kind = await control.evaluate((element) => element.tagName);
    if (kind === 'SELECT') await control.selectOption(value);
    else await control.fill(value);
  }
}

describe('by mouse, the page of', () => {
  it.concurrent.each(ALL)(
    '%s shows the result of its tool, in which axe finds nothing wrong',
    (name) =>
      withPage(person.context, async (page) => {
        await page.goto(`${baseUrl}/tools/${name}`);
        await fill(page, name);
        if (EXECUTABLE.includes(name)) await page.locator('#tool-form button.main').click();
        await seeResult(page, name);
        expect(await violationsOf(page, EXECUTABLE.includes(name) ? '#result' : 'main')).toEqual(
          [],
        );
      }),
  );
});

/** The focused element: its id, and the kind of its value. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement;
    return {
      id: element.id,
      isSelect: element.tagName === 'SELECT',
      isSubmit: element.matches('#tool-form button.main'),
    };
  });

/** Tabs through the page: fills each field when it is focused, then presses the button. */
async function walk(page: Page, name: string, chooser: Promise<FileChooser>): Promise<void> {
  const left = valuesOf(name);
  const { files: names, at } = SAMPLES[name]!;
  let chosen = names === undefined;
  for (let stops = 0; stops < MOST_STOPS; stops += 1) {
    const { id, isSelect, isSubmit } = await focused(page);
    const value = left.get(id);
    if (id === 'files' && !chosen) {
      await page.keyboard.press('Enter');
      await (await chooser).setFiles(names!.map(fileAt));
      chosen = true;
    } else if (value !== undefined) {
      left.delete(id);
      if (isSelect) await page.keyboard.type(value);
      else {
        await page.keyboard.press('ControlOrMeta+a');
        await page.keyboard.insertText(value);
      }
    }
    if (chosen && left.size === 0 && (at || isSubmit)) {
      if (!at) await page.keyboard.press('Enter');
      return;
    }
    await page.keyboard.press('Tab');
  }
  throw new Error(`not reached by keyboard: ${[...left.keys()]}`);
}

describe('by keyboard alone, the page of', () => {
  it.concurrent.each(ALL)('%s shows the result of its tool', (name) =>
    withPage(person.context, async (page) => {
      // Registered early, because the system's own dialog would open otherwise.
      const chooser = page.waitForEvent('filechooser', { timeout: 0 });
      chooser.catch(() => {});
      await page.goto(`${baseUrl}/tools/${name}`);
      await walk(page, name, chooser);
      await seeResult(page, name);
      if (EXECUTABLE.includes(name)) {
        await vi.waitFor(async () => expect((await focused(page)).id).toBe('result-title'));
      }
    }),
  );
});

describe('without scripts, the page of', () => {
  it.concurrent.each(EXECUTABLE)('%s gives the result of its tool', async (name) => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: VIEWPORT });
    await context.setExtraHTTPHeaders({ Cookie: await cookieOf(person) });
    const page = await context.newPage();
    await page.goto(`${baseUrl}/tools/${name}`);
    await fill(page, name);
    const download = page.waitForEvent('download', PATIENCE).catch(() => null);
    await page.locator('#tool-form button.main').click();
    const came = await Promise.race([
      download,
      page.locator('#result[data-state="done"], .error:visible, #form-error:visible').waitFor(),
    ]);
    if (came) expect(came.suggestedFilename()).toMatch(/\.(pdf|zip|png|webp)$/);
    else {
      expect(await page.locator('.error:visible, #form-error:visible').allInnerTexts()).toEqual([]);
      expect(await page.locator('#result .output').innerText()).not.toBe('');
    }
    await context.close();
  });
});
