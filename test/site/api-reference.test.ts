/** /docs/api: the content of the OpenAPI document, and requests sent from the page. */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findTool } from '../../src/tools/find-tool.ts';
import { openBrowser } from '../support/chromium.ts';
import { baseUrl, body } from '../support/service.ts';

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await openBrowser();
  page = await browser.newPage();
  await page.goto(`${baseUrl}/docs/api`);
});
afterAll(() => browser.close());

const consoleOf = (id: string): Locator =>
  page.locator('section.operation').filter({ has: page.locator(`#${id}`) });

async function send(section: Locator): Promise<string> {
  await section.getByRole('button', { name: 'Send', exact: true }).click();
  const status = section.locator('.answer .chip');
  await status.waitFor();
  return status.innerText();
}

describe('the API reference', () => {
  it('has every operation of the OpenAPI document, each with a request', async () => {
    const { paths } = await body(await fetch(`${baseUrl}/api/v1/openapi.json`));
    // Each tool has a section of its own, for the endpoint of all tools.
    const others = Object.entries<Record<string, { operationId?: string }>>(paths).filter(
      ([path]) => !findTool(path.split('/').at(-1)!),
    );
    const ids = others.flatMap(([, methods]) =>
      Object.values(methods).flatMap(({ operationId }) => operationId ?? []),
    );
    expect(ids.length).toBeGreaterThan(7);
    for (const id of ids) expect(await consoleOf(id).locator('form').count()).toBe(1);
  });

  it('sends a call with a body', async () => {
    const section = consoleOf('executeTool');
    await section.locator('summary').first().click();
    expect(await send(section)).toMatch(/^200/);
    expect(await section.locator('.answer code').first().innerText()).toContain('SGVsbG8s');
  });

  it('sends a query, a file, and shows an error as it is', async () => {
    const content = consoleOf('getContent');
    await content.locator('summary').first().click();
    await content.getByLabel('section').fill('How-to');
    expect(await send(content)).toMatch(/^200/);
    expect(await content.locator('.answer code').first().innerText()).toContain('/how-to/');

    const job = consoleOf('getJob');
    await job.locator('summary').first().click();
    await job.getByLabel('id').first().fill('unknown');
    expect(await send(job)).toMatch(/^404/);

    const upload = consoleOf('parse_document');
    await upload.locator('summary').first().click();
    const file = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('two words') };
    await upload.locator('input[type="file"]').setInputFiles(file);
    expect(await send(upload)).toMatch(/^200/);
    expect(await upload.locator('.answer code').first().innerText()).toContain('two words');
  });

  it('sends the key that was entered', async () => {
    const usage = consoleOf('getUsage');
    await usage.locator('summary').first().click();
    await page.locator('#api-key').fill('tsk_not_a_good_one');
    expect(await send(usage)).toMatch(/^401/);
    expect(await usage.locator('.answer code').first().innerText()).toContain('invalid_key');
  });
});
