/** Tests create_upload in Chromium: an agent requests a file, and a person drops the file on the page. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AGENT_ENDPOINT } from '../../src/catalogue/mcp-endpoints.ts';
import { openBrowser } from '../support/chromium.ts';
import { type Connected, connectNew } from '../support/mcp-clients.ts';
import { baseUrl } from '../support/service.ts';

let browser: Browser;
let agent: Connected;
beforeAll(async () => {
  browser = await openBrowser();
  agent = await connectNew(baseUrl + AGENT_ENDPOINT.path);
});
afterAll(async () => {
  await agent?.close();
  await browser?.close();
});

it('a user sends a file on the drop page, and the agent reads it', async () => {
  const { structuredContent } = await agent.call('create_upload', { filename: 'notes.txt' });
  const { dropPage, uploadUrl } = structuredContent as Record<string, string>;
  const page = await browser.newPage();
  await page.goto(dropPage!);
  await page.getByText('notes.txt').waitFor();
  const send = page.getByRole('button', { name: 'Send the file' });
  await send.click();
  await page.getByText('Choose the file first.').waitFor();
  await page.setInputFiles('#files', {
    name: 'other-name.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('From a person.'),
  });
  await send.click();
  await page.getByText('other-name.txt was uploaded.').waitFor();
  const read = await agent.call('read_document', { fileUrl: uploadUrl });
  expect(read.structuredContent).toEqual({ text: 'From a person.' });

  await page.reload();
  await page.getByText('its file was already sent').waitFor();
  await page.close();
});

it('the drop page explains why a file was refused', async () => {
  const { structuredContent } = await agent.call('create_upload', { filename: 'scan.pdf' });
  const page = await browser.newPage();
  await page.goto((structuredContent as { dropPage: string }).dropPage);
  await page.setInputFiles('#files', {
    name: 'page.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('<html></html>'),
  });
  await page.getByRole('button', { name: 'Send the file' }).click();
  await page.locator('#problem:visible').waitFor();
  expect(await page.locator('#problem').textContent()).toMatch(/HTML/);
  await page.close();
});
