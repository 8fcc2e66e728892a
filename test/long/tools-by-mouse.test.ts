/** Runs every tool on its page by mouse. test/site/every-tool.test.ts uses only the keyboard. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  ALL,
  EXECUTABLE,
  fill,
  openFiles,
  type SampleFolder,
  seeResult,
  VIEWPORT,
  withPage,
} from '../site/tool-page.ts';
import { violationsOf } from '../support/axe.ts';
import { openBrowser } from '../support/chromium.ts';
import { openPerson, type Person, signUp } from '../support/passkey-browser.ts';
import { baseUrl } from '../support/service.ts';

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

it.concurrent.each(ALL)('%s shows the result of its tool without axe violations', (name) =>
  withPage(person.context, async (page) => {
    await page.goto(`${baseUrl}/tools/${name}`);
    await fill(page, name, files);
    if (EXECUTABLE.includes(name)) await page.locator('#tool-form button.main').click();
    await seeResult(page, name);
    const part = EXECUTABLE.includes(name) ? '#result' : 'main';
    expect(await violationsOf(page, part)).toEqual([]);
  }),
);
