/**
 * Runs every tool on its page with a real input, using only the keyboard. Also runs the tools without scripts.
 * test/long uses the mouse.
 */
import type { Browser, FileChooser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { violationsOf } from '../support/axe.ts';
import { openBrowser, submitForm } from '../support/chromium.ts';
import { someOf } from '../support/matrix.ts';
import { cookieOf, openPerson, type Person, signUp } from '../support/passkey-browser.ts';
import { baseUrl } from '../support/service.ts';
import {
  ALL,
  EXECUTABLE,
  fill,
  openFiles,
  openTool,
  PATIENCE,
  SAMPLES,
  type SampleFolder,
  seeResult,
  VIEWPORT,
  valuesOf,
  withPage,
} from './tool-page.ts';

/**
 * The maximum number of elements that a test visits with the Tab key. It is more than twice the number of focusable
 * elements on any page.
 */
const MAX_STOPS = 160;

let files: SampleFolder;
let browser: Browser;
let person: Person;
beforeAll(async () => {
  files = await openFiles();
  browser = await openBrowser();
  person = await openPerson(browser, { viewport: VIEWPORT });
  await signUp(person, 'Ada');
});
afterAll(async () => {
  await browser?.close();
  files?.remove();
});

/** Returns the ID of the focused element, and properties that determine how to fill it in. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement;
    return {
      id: element.id,
      /** The values of a select element in the order of its options. Undefined for other elements. */
      choices:
        element.tagName === 'SELECT'
          ? [...(element as unknown as HTMLSelectElement).options].map(({ value }) => value)
          : undefined,
      isFold: element.matches('#tool-form details:not([open]) > summary'),
      isSubmit: element.matches('#tool-form button.main'),
    };
  });

/**
 * Moves the focus through the page with the Tab key. Fills in each field when it has the focus, then presses the
 * button.
 */
async function walk(page: Page, name: string, chooser: Promise<FileChooser>): Promise<void> {
  const left = valuesOf(name);
  const { files: names, at } = SAMPLES[name]!;
  let chosen = names === undefined;
  const visited: string[] = [];
  for (let stops = 0; stops < MAX_STOPS; stops += 1) {
    const { id, choices, isSubmit, isFold } = await focused(page);
    const value = left.get(id);
    visited.push(isSubmit ? 'submit' : id || '-');
    if (id === 'files' && !chosen) {
      await page.keyboard.press('Enter');
      await (await chooser).setFiles(names!.map(files.at));
      chosen = true;
    } else if (value !== undefined) {
      left.delete(id);
      // The option is selected with arrow keys, because typed letters must follow each other within a second.
      if (choices) {
        await page.keyboard.press('Home');
        for (let at = 0; at < choices.indexOf(value); at += 1)
          await page.keyboard.press('ArrowDown');
      } else {
        await page.keyboard.press('ControlOrMeta+a');
        await page.keyboard.insertText(value);
      }
    }
    if (isFold) await page.keyboard.press('Enter');
    if (chosen && left.size === 0 && (at || isSubmit)) {
      if (!at) await page.keyboard.press('Enter');
      return;
    }
    await page.keyboard.press('Tab');
  }
  throw new Error(`not reached by keyboard: ${[...left.keys()]}; visited: ${visited.join(' ')}`);
}

describe('by keyboard alone, the page of', () => {
  it.concurrent.each(ALL)('%s shows the result without axe violations', (name) =>
    withPage(person.context, async (page) => {
      // The listener is registered before the page opens, because the system's own dialog would open otherwise.
      const chooser = page.waitForEvent('filechooser', { timeout: 0 });
      chooser.catch(() => {});
      await openTool(page, name);
      await walk(page, name, chooser);
      await seeResult(page, name);
      if (EXECUTABLE.includes(name)) {
        const isTitle = async () => expect((await focused(page)).id).toBe('result-title');
        await vi.waitFor(isTitle, PATIENCE);
      }
      const part = EXECUTABLE.includes(name) ? '#result' : 'main';
      expect(await violationsOf(page, part)).toEqual([]);
    }),
  );
});

describe('without scripts, the page of', () => {
  it.concurrent.each(someOf(EXECUTABLE, 3))('%s returns the result', async (name) => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: VIEWPORT });
    await context.setExtraHTTPHeaders({ Cookie: await cookieOf(person) });
    const page = await context.newPage();
    await page.goto(`${baseUrl}/tools/${name}`);
    await fill(page, name, files);
    const came = await submitForm(page, page.locator('#tool-form button.main:visible'));
    if (came) expect(came.suggestedFilename()).toMatch(/\.(pdf|zip|png|webp)$/);
    else {
      await page
        .locator('#result[data-state="done"], .error:visible, #form-error:visible')
        .waitFor();
      expect(await page.locator('.error:visible, #form-error:visible').allInnerTexts()).toEqual([]);
      expect(await page.locator('#result .output').innerText()).not.toBe('');
    }
    await context.close();
  });
});
