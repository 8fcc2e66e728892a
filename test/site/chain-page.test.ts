/**
 * Tests the page that builds chains: editing steps by mouse and by keyboard, values from earlier steps, results,
 * errors, and the generated code.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isRepeated, openBrowser, submitForm } from '../support/chromium.ts';
import { baseUrl } from '../support/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'tools-chain-'));
const image = join(folder, 'photo.png');
let browser: Browser;
let page: Page;
let problems: string[];

beforeAll(async () => {
  const create = { width: 60, height: 40, channels: 3, background: 'teal' } as const;
  writeFileSync(image, await sharp({ create }).png().toBuffer());
  browser = await openBrowser();
});
beforeEach(async () => {
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  problems = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !isRepeated(message.text())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  await page.goto(`${baseUrl}/chains`);
});
afterEach(() => page.close());
afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

const steps = () => page.locator('.step');
const titles = () => page.locator('.step h2').allInnerTexts();

async function add(tool: string): Promise<void> {
  const before = await steps().count();
  const groups = page.locator('#add-groups > details:not([open]) > summary');
  const button = page.locator(`#add-groups [value="add ${tool}"]`);
  if (!(await button.isVisible())) await groups.click();
  await button.click();
  await steps().nth(before).waitFor();
}

async function run(): Promise<void> {
  await page.getByRole('button', { name: 'Run the chain' }).click();
  await page
    .locator('.step .output, .error:not([hidden]), #form-error:not([hidden])')
    .first()
    .waitFor();
}

/** The page must show no error and no work in progress, and the files must remain selected. */
async function expectFinished(): Promise<void> {
  expect(await page.locator('#form-error').innerText()).toBe('');
  expect(await page.locator('#working').innerText()).toBe('');
  expect(await page.locator('.files .name').count()).toBeGreaterThan(0);
}

describe('the chain page', () => {
  it('runs steps that feed each other, and shows the result of each step', async () => {
    await add('encode_url');
    await add('encode_base64');
    expect(await page.locator('.feeds').nth(1).innerText()).toBe('Text: encoded of step 1');
    await page.locator('#step0-p-url').fill('a b');
    await run();
    expect(await page.locator('.step .output').nth(0).innerText()).toContain('a%20b');
    expect(await page.locator('#chain-result').innerText()).toContain('YSUyMGI=');
    expect(await page.locator('.main:visible:is(a, button)').allInnerTexts()).toEqual([
      'Run the chain',
      'Save as encode_base64.txt',
    ]);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('chain-result');
    expect(problems).toEqual([]);
  });

  it('orders and removes steps by keyboard, announces it, and keeps the entered values', async () => {
    await add('encode_url');
    await page.locator('#step0-p-url').fill('kept');
    await add('format_json');
    await page.getByRole('button', { name: 'Move step 2, Format JSON, up' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(titles).toEqual(['Format JSON', 'Encode URL']);
    expect(await page.inputValue('#step1-p-url')).toBe('kept');
    expect(await page.locator('#chain-status').innerText()).toBe('Format JSON is now step 1 of 2.');
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    expect(await focused()).toContain('Format JSON, down');
    await page.getByRole('button', { name: 'Remove step 1, Format JSON' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(titles).toEqual(['Encode URL']);
    expect(await page.inputValue('#step0-p-url')).toBe('kept');
  });

  it('orders steps by dragging', async () => {
    await add('encode_url');
    await add('format_json');
    await steps().nth(0).scrollIntoViewIfNeeded();
    await page.locator('.step [data-drag]').nth(1).dragTo(steps().nth(0));
    await expect.poll(titles).toEqual(['Format JSON', 'Encode URL']);
  });

  it('shows an error beside the field of its step', async () => {
    await add('encode_base64');
    await add('decode_base64');
    await add('format_json');
    await page.locator('#step0-p-text').fill('no JSON');
    await run();
    const states = await page.locator('.step .output .chip').allInnerTexts();
    expect(states).toEqual(['Done', 'Done', 'Failed']);
    expect(await page.locator('#step2-p-json-error').innerText()).toMatch(/JSON/);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('step2-p-json');
    await page.locator('#step1-p-encoded').fill('{{steps.7.result.encoded}}');
    await page.getByRole('button', { name: 'Run the chain' }).click();
    await page.locator('#step1-p-encoded-error:not([hidden])').waitFor();
    expect(await page.locator('#step1-p-encoded-error').innerText()).toMatch(
      /is invalid|does not match/,
    );
  });

  it('runs on a chosen file, shows the resulting images, and deletes all files', async () => {
    const links: string[] = [];
    page.on('response', async (answer) => {
      if (!answer.url().startsWith(`${baseUrl}/chains`) || answer.request().method() !== 'POST')
        return;
      const stored = /https?:\/\/[^/\s"&]+\/files\/[\w-]{20,}\/[\w.-]+/g;
      links.push(...((await answer.text()).match(stored) ?? []));
    });
    await add('compress_image');
    await add('images_to_pdf');
    await page.setInputFiles('#files', image);
    expect(await page.locator('.files .name').allInnerTexts()).toEqual([
      expect.stringContaining('photo.png'),
    ]);
    await run();
    const made = page.locator('.step .output .brief-image img').first();
    await expect
      .poll(() => made.evaluate((image) => (image as HTMLImageElement).naturalWidth))
      .toBe(60);
    const save = page.locator('#chain-result').getByRole('link', { name: 'Save photo.pdf' });
    expect(await save.getAttribute('href')).toMatch(/^blob:/);
    await expectFinished();
    const kinds = new Set(links.map((link) => link.split('/').at(-1)));
    expect([...kinds].sort()).toEqual(['images.pdf', 'photo.png', 'photo.webp']);
    for (const link of links)
      await expect.poll(async () => (await fetch(link)).status, { message: link }).toBe(404);
    expect(await page.locator('#calls pre code').first().textContent()).toContain('FILE_URL');
    expect(problems).toEqual([]);
  });

  it('runs a long step as a job, whose progress it shows, and deletes the job', async () => {
    const label =
      '<svg xmlns="http://www.w3.org/2000/svg" width="800" height="200"><text x="40" y="120" font-size="80" font-family="DejaVu Sans">Harbour lights</text></svg>';
    const text = await sharp(Buffer.from(label)).flatten({ background: 'white' }).png().toBuffer();
    let job = '';
    page.on('response', async (answer) => {
      if (answer.status() === 202) job = (await answer.json()).id;
    });
    await add('extract_text_ocr');
    await page.setInputFiles('#files', { name: 'sign.png', mimeType: 'image/png', buffer: text });
    const shown = page
      .locator('#working')
      .getByText(/Extract text by OCR/)
      .waitFor();
    await page.getByRole('button', { name: 'Run the chain' }).click();
    await shown;
    await page.locator('#chain-result').waitFor();
    expect(await page.locator('#chain-result').innerText()).toContain('Harbour lights');
    expect(job).not.toBe('');
    const path = `${baseUrl}/api/v1/jobs/${job}`;
    await expect.poll(async () => (await fetch(path)).status).toBe(404);
    expect(problems).toEqual([]);
  });

  it('keeps a value that was entered just before the run across a reload', async () => {
    await page.goto(`${baseUrl}/chains?template=first-pages`);
    await add('encode_url');
    await page.locator('#step3-p-url').fill('late');
    await page.getByRole('button', { name: 'Try a sample' }).click();
    await page.locator('#chain-result').waitFor();
    await page.reload();
    expect(await page.inputValue('#step3-p-url')).toBe('late');
  });

  it('runs on several files, and reports an error in them at the field for files', async () => {
    await add('images_to_pdf');
    await page.setInputFiles('#files', [image, image, image]);
    await run();
    await expect.poll(() => page.locator('#chain-result .sizes').innerText()).toContain('3 pages');
    const broken = {
      name: 'broken.png',
      mimeType: 'image/png',
      buffer: readFileSync(image).subarray(0, 60),
    };
    await page.setInputFiles('#files', [broken]);
    await page.getByRole('button', { name: 'Run the chain' }).click();
    await page.locator('#files-error:not([hidden])').waitFor();
    expect(await page.locator('#files-error').innerText()).toContain('broken.png');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('files');
  });

  it('runs once for each file if the first tool takes one, and lists the results', async () => {
    await add('compress_image');
    await add('images_to_pdf');
    await add('compress_pdf');
    const other = { name: 'other.png', mimeType: 'image/png', buffer: readFileSync(image) };
    const broken = { ...other, name: 'broken.png', buffer: other.buffer.subarray(0, 60) };
    await page.setInputFiles('#files', [image]);
    await page.setInputFiles('#files', [other, broken]);
    await page.getByRole('button', { name: 'Run the chain' }).click();
    await page.getByText('2 of 3 done').waitFor();
    const rows = page.locator('#chain-result .files li');
    expect(await rows.locator('.name').allInnerTexts()).toEqual([
      expect.stringContaining('photo.pdf'),
      expect.stringContaining('other.pdf'),
      expect.stringContaining('broken.png'),
    ]);
    expect(await rows.nth(2).locator('.error').innerText()).toContain('cannot be decoded');
    // The warning of a step does not contradict the sizes, which are those of the whole chain.
    expect(await rows.nth(0).locator('.warning').innerText()).toMatch(
      /^Compress a PDF · Unchanged: /,
    );
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download all (ZIP)' }).click();
    expect((await saved).suggestedFilename()).toBe('chain-results.zip');
    await expectFinished();
  });

  it('compares the size of the last result with the input of its step, also after a reload', async () => {
    await add('split_pdf');
    await add('compress_pdf');
    const path = join(folder, 'pages.pdf');
    const pages = '1 1 9 { pop /Helvetica 40 selectfont 72 400 moveto (scan) show showpage } for';
    execFileSync('gs', ['-q', '-sDEVICE=pdfwrite', '-o', path, '-c', pages]);
    await page.setInputFiles('#files', path);
    await page.getByLabel('Pages', { exact: true }).fill('1-2');
    await run();
    const before = await page.locator('.step .output .small').first().innerText();
    const sizes = page.locator('#chain-result .sizes');
    await expect.poll(() => sizes.innerText()).toContain(`${before} →`);
    await page.reload();
    await expect.poll(() => sizes.innerText()).toContain(`${before} →`);
  });

  it('shows the last result again after a reload', async () => {
    await page.goto(`${baseUrl}/chains?add=compress_image`);
    await page.setInputFiles('#files', image);
    await run();
    const save = page.locator('#chain-result').getByRole('link', { name: 'Save photo.webp' });
    await page.reload();
    await save.waitFor();
    expect(await save.getAttribute('href')).toMatch(/^blob:/);
    await page.goto(`${baseUrl}/chains?add=encode_url`);
    await page.locator('#step0-p-url').fill('a b');
    await run();
    await page.reload();
    await page.locator('#chain-result').getByText('a%20b').first().waitFor();
    expect(problems).toEqual([]);
  });

  it('keeps the results of several files across a reload, with the errors', async () => {
    await add('compress_image');
    const other = { name: 'other.png', mimeType: 'image/png', buffer: readFileSync(image) };
    const broken = { ...other, name: 'broken.png', buffer: other.buffer.subarray(0, 60) };
    await page.setInputFiles('#files', [other, broken]);
    await page.getByRole('button', { name: 'Run the chain' }).click();
    await page.getByText('1 of 2 done').waitFor();
    // The button appears once no file is being processed.
    await page.getByRole('button', { name: 'Download all (ZIP)' }).waitFor();
    const texts = () => page.locator('#chain-result .files li').allInnerTexts();
    const before = await texts();
    await page.reload();
    await page.getByText('1 of 2 done').waitFor();
    expect(await texts()).toEqual(before);
    // Another run continues with the file that failed.
    const runs: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && new URL(request.url()).pathname === '/chains')
        runs.push(request.url());
    });
    const refused = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.getByRole('button', { name: 'Run the chain' }).click();
    await refused;
    await expect.poll(texts).toEqual(before);
    expect(runs.length).toBe(1);
    const saved = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Save other.webp' }).click();
    expect((await saved).suggestedFilename()).toBe('other.webp');
    expect(await page.locator('#chain-result .stale').count()).toBe(0);
    await page.locator('[data-options] summary').first().click();
    await page.locator('#step1-p-width').fill('20');
    await page.locator('#chain-result .stale').waitFor();
    expect(problems).toEqual([]);
  });

  it('asks before the page is left if a result is too large to store', async () => {
    // The pixels are random, so that the results stay large.
    const raw = { width: 1800, height: 1200, channels: 3 } as const;
    const buffer = await sharp(randomBytes(1800 * 1200 * 3), { raw })
      .png()
      .toBuffer();
    const large = (name: string) => ({ name, mimeType: 'image/png', buffer });
    // A page from `browser.newPage()` closes without a dialog, so the test creates a context first.
    await page.close();
    const context = await browser.newContext();
    page = await context.newPage();
    await page.goto(`${baseUrl}/chains`);
    await add('compress_image');
    await page.locator('#step1-p-format').selectOption('png');
    await page.setInputFiles('#files', ['1.png', '2.png', '3.png'].map(large));
    await page.getByRole('button', { name: 'Run the chain' }).click();
    await page.getByText('3 of 3 done').waitFor();
    const warning = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const dialog = await warning;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    const dialogs: string[] = [];
    page.on('dialog', async (one) => {
      dialogs.push(one.type());
      await one.accept();
    });
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download all (ZIP)' }).click();
    await saved;
    await page.reload();
    await page
      .getByText(/could not be stored/)
      .first()
      .waitFor();
    expect(dialogs).toEqual([]);
    await context.close();
  });

  it('keeps the files and the result while the steps are in another order', async () => {
    await page.goto(`${baseUrl}/chains?template=photos-to-pdf`);
    await page.setInputFiles('#files', [image, image]);
    await run();
    const names = page.locator('.files .name');
    const result = page.locator('#chain-result');
    const stale = result.getByText('The chain has changed since this result was created.');
    await page.getByRole('button', { name: 'Move step 3, Compress a PDF, up' }).click();
    await stale.waitFor();
    expect(await names.count()).toBe(0);
    expect(await page.locator('#files-error').innerText()).toBe('');
    expect(await page.locator('#refused-files').innerText()).toMatch(
      /^Step 2 does not accept 2 of the files/,
    );
    await page.reload();
    await stale.waitFor();
    await page.getByRole('button', { name: 'Move step 3, Images to PDF, up' }).click();
    await expect.poll(() => names.count()).toBe(2);
    expect(await page.locator('#refused-files').innerText()).toBe('');
    expect(await result.getByRole('link', { name: 'Save images-compressed.pdf' }).count()).toBe(1);
    expect(await stale.count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('adds a step before another one', async () => {
    await add('encode_url');
    await add('format_json');
    await page.selectOption('#at', { label: 'Before step 2' });
    await add('encode_base64');
    await expect.poll(titles).toEqual(['Encode URL', 'Encode Base64', 'Format JSON']);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('step1-p-text');
  });

  it('shows the texts of a template until its steps are changed', async () => {
    await page.goto(`${baseUrl}/chains?template=first-pages`);
    const title = () => page.locator('h1').innerText();
    expect(await title()).toBe('Keep the first pages of a PDF');
    expect(await steps().nth(1).locator('h2').innerText()).toMatch(/^Keep the first pages/);
    const options = page.locator('[data-options="pages"]');
    expect(await options.getAttribute('open')).toBeNull();
    expect(await options.locator('.values').innerText()).toContain('1-3');
    await options.locator('summary').first().click();
    await page.locator('#step1-p-ranges').fill('2');
    await expect.poll(() => page.url()).toContain('recipe=');
    await page.reload();
    expect(await title()).toBe('Keep the first pages of a PDF');
    await page.getByRole('button', { name: 'Remove step 3' }).click();
    await expect.poll(titles).toEqual(['Upload a file', 'Split a PDF']);
    expect(await title()).toBe('Build a chain');
    expect(await page.locator('#share code').textContent()).not.toContain('template=');
    await page.goBack();
    await expect.poll(titles).toHaveLength(3);
    expect(await title()).toBe('Keep the first pages of a PDF');
    await page.getByRole('button', { name: 'Remove step 3' }).click();
    await expect.poll(title).toBe('Build a chain');
    await add('compress_pdf');
    expect(await title()).toBe('Keep the first pages of a PDF');
  });

  it('shows the name of a saved chain while it has the same tools', async () => {
    const title = () => page.locator('h1').innerText();
    await add('encode_url');
    await page.getByLabel('Save it in this browser as').fill('For the blog');
    await page.keyboard.press('Enter');
    await page.locator('#saved-status').getByRole('link', { name: '/chains' }).click();
    await page.getByRole('link', { name: 'For the blog' }).click();
    await expect.poll(title).toBe('For the blog');
    expect(await page.title()).toMatch(/^For the blog · /);
    await page.locator('#step0-p-url').fill('another value');
    await run();
    await page.reload();
    await expect.poll(title).toBe('For the blog');
    expect(await page.inputValue('#step0-p-url')).toBe('another value');
    await add('format_json');
    await expect.poll(title).toBe('Build a chain');
  });

  it('reports what a step lacks before anything runs, in the words of the page', async () => {
    await add('encode_url');
    await add('parse_document');
    await page.locator('#step0-p-url').fill('');
    expect(await page.locator('.hints .bad').innerText()).toBe(
      'This step needs a file, but step 1 does not create one.',
    );
    // The button that fixes the step takes the focus instead of the run.
    await page.getByRole('button', { name: 'Run the chain' }).click();
    await page.locator('[data-misfit]:focus').press('Enter');
    await expect.poll(titles).toEqual(['Encode URL']);
    await run();
    expect(await page.locator('#step0-p-url-error').innerText()).toBe('Enter a value.');
  });

  it('sends an entered default, which the previous step would replace otherwise', async () => {
    await page.getByRole('link', { name: 'Capture a web page as a small image' }).click();
    await steps().nth(1).waitFor();
    await page.locator('#step0-p-url').fill('https://example.com/other');
    await expect
      .poll(() => page.locator('#calls pre code').first().textContent())
      .toMatch(/other.*\n.*"format":"webp"/);
    expect(await page.locator('.feeds').nth(1).innerText()).not.toContain('format');
  });

  it('keeps a file whose link a later step uses, and says so', async () => {
    await add('images_to_pdf');
    await add('generate_qr_code');
    await page.setInputFiles('#files', image);
    await run();
    expect(await page.locator('#chain-result .notice').innerText()).toMatch(
      /^Scan the code to open images\.pdf \(.*24 hours/,
    );
    await page.getByText('Show this result').click();
    const link = page.locator('.step .output a', { hasText: 'Open' });
    expect((await fetch((await link.getAttribute('href'))!)).status).toBe(200);
    expect(await page.locator('.step .output').first().innerText()).toContain(
      'Anyone with this link can open it until',
    );
    await page.locator('[data-options="generate_qr_code"] > summary').click();
    await page.locator('#step2-p-text').fill('{{steps.upload.result.url}}');
    await expect
      .poll(() => page.locator('[data-afterwards]').innerText())
      .toContain('Files are stored for 7 days.');
  });

  it('preserves the steps and the files across a reload', async () => {
    await add('encode_url');
    await page.locator('#step0-p-url').fill('kept');
    await expect.poll(() => page.url()).toContain('recipe=');
    await add('format_json');
    await page.reload();
    expect(await titles()).toEqual(['Encode URL', 'Format JSON']);
    expect(await page.inputValue('#step0-p-url')).toBe('kept');
    await page.goto(`${baseUrl}/chains?add=compress_image`);
    await page.setInputFiles('#files', image);
    const names = () => page.locator('.files .name').allInnerTexts();
    expect(await names()).toEqual([expect.stringContaining('photo.png')]);
    await page.reload();
    await expect.poll(names).toEqual([expect.stringContaining('photo.png')]);
  });

  it('runs a template on a sample in one click, and goes back to the templates', async () => {
    await page.locator('[data-try="first-pages"]').click();
    await page.locator('#chain-result').waitFor();
    expect(await page.locator('.step').getByText('Done').count()).toBe(2);
    expect(page.url()).toBe(`${baseUrl}/chains?template=first-pages`);
    expect(await page.locator('.feeds').nth(2).innerText()).toBe('Uses the file of step 2');
    await expectFinished();
    await page.goBack();
    await page.getByRole('heading', { name: 'Start with one of these' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('refuses a step that does not take the kind of file that the previous step creates', async () => {
    await add('images_to_pdf');
    await add('compress_image');
    await page.getByText('This step takes images, but step 2 creates a PDF.').waitFor();
    await page.setInputFiles('#files', image);
    await page.getByRole('button', { name: 'Run the chain' }).click();
    const fix = page.getByRole('button', { name: 'Make it step 2' });
    expect(await fix.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    const ordered = ['Upload a file', 'Compress or convert an image', 'Images to PDF'];
    await expect.poll(titles).toEqual(ordered);
    await run();
    await page.getByRole('link', { name: 'Save photo.pdf' }).waitFor();
  });

  it('sets the option with which a step creates the file that the next step needs', async () => {
    await add('extract_text_ocr');
    await add('compress_pdf');
    await page.getByRole('button', { name: 'Set "Result" of step 2 to "Searchable PDF"' }).click();
    await page.locator('.hints .bad').waitFor({ state: 'detached' });
    expect(await page.inputValue('#step1-p-output')).toBe('pdf');
    await page.getByRole('button', { name: 'Remove step 1, Upload a file' }).click();
    await page.getByRole('button', { name: 'Choose a file in the first step' }).click();
    await expect.poll(titles).toEqual(['Upload a file', 'Extract text by OCR', 'Compress a PDF']);
  });

  it('warns while the visitor types about a list whose ZIP the next step cannot read', async () => {
    await add('split_pdf');
    await add('compress_pdf');
    await page.locator('#step1-p-ranges').fill('1\n2');
    const fix = page.getByRole('button', {
      name: 'Keep only the first line in "Pages" of step 2',
    });
    await fix.click();
    await page.locator('.hints .bad').waitFor({ state: 'detached' });
    expect(await page.inputValue('#step1-p-ranges')).toBe('1');
  });

  it('passes the link of the uploaded file to a tool that takes text', async () => {
    await add('upload_file');
    await add('generate_qr_code');
    expect(await page.locator('.feeds').nth(1).innerText()).toBe(
      'Text or link: the link of step 1',
    );
    await page.setInputFiles('#files', image);
    await run();
    expect(await page.locator('#chain-result .notice, #chain-result img').count()).toBeGreaterThan(
      0,
    );
  });

  it('closes the options of finished steps, and hides advice that a later step follows', async () => {
    const options = (id: string) => page.locator(`[data-options="${id}"]`);
    await add('compress_image');
    await add('images_to_pdf');
    await add('compress_pdf');
    await page.locator('#step1-p-width').fill('40');
    const raw = { width: 300, height: 200, channels: 3 } as const;
    const pixels = sharp(randomBytes(300 * 200 * 3), { raw });
    const noise = join(folder, 'noise.jpg');
    writeFileSync(noise, await pixels.jpeg().toBuffer());
    await page.setInputFiles('#files', noise);
    const sample = page.getByRole('button', { name: 'Try a sample' });
    expect(await sample.isVisible()).toBe(false);
    await run();
    await page.getByRole('link', { name: 'Save noise.pdf' }).last().waitFor();
    expect(await options('compress_image').getAttribute('open')).toBeNull();
    expect(await steps().nth(2).locator('.output .notice').count()).toBe(0);
    const save = steps().nth(1).getByRole('link', { name: 'Save noise.webp' });
    expect(await save.getAttribute('href')).toMatch(/^blob:/);
    await options('compress_image').locator('summary').first().click();
    await page.locator('#step1-p-width').fill('50');
    await page.getByRole('button', { name: 'Run the chain' }).click();
    await page.locator('.stale').waitFor({ state: 'detached' });
    expect(await page.inputValue('#step1-p-width')).toBe('50');
    expect(await options('compress_image').getAttribute('open')).not.toBeNull();
  });

  it('advises JPEG for images that become a PDF', async () => {
    await add('compress_image');
    await add('images_to_pdf');
    const fix = page.getByRole('button', { name: 'Use JPEG in step 2' });
    await fix.waitFor();
    await page.selectOption('#step1-p-format', 'jpeg');
    await fix.waitFor({ state: 'detached' });
    await page.selectOption('#step1-p-format', 'webp');
    await fix.click();
    await fix.waitFor({ state: 'detached' });
    expect(await page.inputValue('#step1-p-format')).toBe('jpeg');
  });

  it('shows a field error for an invalid file', async () => {
    await add('compress_image');
    const empty = { name: 'empty.png', mimeType: 'image/png', buffer: Buffer.alloc(0) };
    await page.setInputFiles('#files', empty);
    await expect
      .poll(() => page.locator('#files-error').innerText())
      .toBe('empty.png is empty. The file was not added.');
  });

  it('shows working code for the chain, updated while the user types', async () => {
    await add('encode_url');
    await add('encode_base64');
    await page.locator('#step0-p-url').fill('it’s "1 2"');
    const codes = page.locator('#calls code');
    await expect.poll(() => codes.nth(0).textContent()).toContain('1 2\\"');
    const wanted = Buffer.from(encodeURIComponent('it’s "1 2"')).toString('base64');
    const answer = execFileSync('sh', ['-c', (await codes.nth(0).textContent())!]);
    expect(JSON.parse(answer.toString()).output.encoded).toBe(wanted);
    const script = `${await codes.nth(1).textContent()}\nconsole.log(output.encoded);`;
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script]);
    expect(printed.toString().trim()).toBe(wanted);
    const python = (await codes.nth(2).textContent())!;
    expect(python).toContain('{"tool": "encode_base64", "id": "encode_base64"}');
    execFileSync('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], {
      input: python,
    });
  });

  it('stops a run when the user cancels it', async () => {
    await page.getByRole('link', { name: 'Turn Base64-encoded JSON into a QR code' }).click();
    await steps().nth(2).waitFor();
    await page.route('**/chains', () => {});
    await page.getByRole('button', { name: 'Run the chain' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    const runs = page.getByRole('button', { name: 'Run the chain' });
    await expect.poll(() => runs.isEnabled()).toBe(true);
    expect(await steps().count()).toBe(3);
  });

  it('opens from a shared link with its steps and without files', async () => {
    await add('images_to_pdf');
    await page.setInputFiles('#files', image);
    await page.locator('#step1-p-margin').selectOption('36');
    const link = page.locator('#share code');
    await expect.poll(() => link.textContent()).toContain('recipe=');
    await expect
      .poll(() => page.locator('#calls pre code').first().textContent())
      .toContain('"margin":36');
    const elsewhere = await (await browser.newContext()).newPage();
    await elsewhere.goto((await link.textContent())!);
    expect(await elsewhere.locator('.step h2').allInnerTexts()).toEqual(await titles());
    expect(await elsewhere.inputValue('#step1-p-margin')).toBe('36');
    expect(await elsewhere.locator('.files li').count()).toBe(0);
    expect(await elsewhere.content()).not.toContain('photo.png');
    await elsewhere.context().close();
    const broken = await page.goto(`${baseUrl}/chains?recipe=none`);
    expect(broken?.status()).toBe(400);
  });

  it('saves the chain under a name in this browser until it is deleted', async () => {
    await add('encode_url');
    await page.getByLabel('Save it in this browser as').fill('For the blog');
    await page.keyboard.press('Enter');
    expect(await page.locator('#saved-status').innerText()).toMatch(/^Saved/);
    await page.locator('#saved-status').getByRole('link', { name: '/chains' }).click();
    await page.getByRole('link', { name: 'For the blog' }).click();
    await expect.poll(titles).toEqual(['Encode URL']);
    await page.goto(`${baseUrl}/chains`);
    await page.getByRole('button', { name: 'Delete For the blog' }).click();
    expect(await page.getByRole('link', { name: 'For the blog' }).count()).toBe(0);
  });

  it('warns if a permanent short link points to a file that expires', async () => {
    await add('encode_url');
    await add('shorten_url');
    const warning = page.getByText('The short link never expires');
    expect(await warning.count()).toBe(0);
    await page.goto(`${baseUrl}/chains?add=compress_image`);
    await add('shorten_url');
    expect(await warning.count()).toBe(1);
  });

  it('finds a tool by words, and adds the best match on Enter', async () => {
    const found = page.locator('#add-found button');
    await page.fill('#add', 'shrink photo');
    await expect.poll(() => found.allInnerTexts()).toEqual(['Compress or convert an image']);
    expect(await page.locator('#add-status').textContent()).toBe('Tools found: 1.');
    await found.evaluate((button: HTMLButtonElement) => {
      document.querySelector<HTMLButtonElement>(`#add-groups [value="${button.value}"]`)!.disabled =
        true;
    });
    await page.fill('#add', 'shrink photos');
    await expect
      .poll(() => page.locator('#add-status').textContent())
      .toBe('Tools found: 1, which this server cannot run.');
    await page.fill('#add', 'xyzzy');
    await expect.poll(() => page.locator('#add-found').innerText()).toContain('No tool matches');
    await page.fill('#add', 'rotate pdf');
    const elsewhere = page.locator('#add-found a', { hasText: 'Rotate PDF pages' });
    await expect.poll(() => elsewhere.getAttribute('href')).toBe('/tools/rotate_pdf');
    await page.keyboard.press('Enter');
    expect(await steps().count()).toBe(0);
    await page.fill('#add', 'qr');
    await expect.poll(() => found.first().innerText()).toBe('Generate QR code');
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Generate QR code');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect.poll(titles).toEqual(['Generate QR code']);
    expect(problems).toEqual([]);
  });

  it('keeps upload_file as the first step', async () => {
    await page.goto(`${baseUrl}/chains?add=merge_pdf`);
    expect(await titles()).toEqual(['Upload a file', 'Merge PDFs']);
    expect(await page.locator('.moves button[value^="up"]:enabled').count()).toBe(0);
    await run();
    expect(await page.locator('.step').first().innerText()).toContain('Choose at least 2 files.');
  });

  it('works without scripts', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto(`${baseUrl}/chains?add=compress_image`);
    await plain.getByText('All other tools').click();
    await plain.getByRole('button', { name: 'Encode URL' }).click();
    await plain.setInputFiles('#files', image);
    await plain.fill('#step2-p-url', '{{steps.compress_image.result.filename}}');
    await submitForm(plain, plain.getByRole('button', { name: 'Run the chain' }));
    expect(await plain.locator('#chain-result').innerText()).toContain('photo.webp');
    await context.close();
  });
});
