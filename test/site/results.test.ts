/** Tests the actions on results (save, open, share, send on), batches of files, and selecting pages by click. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { PDFDocument, PDFName } from 'pdf-lib';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { violationsOf } from '../support/axe.ts';
import { openBrowser } from '../support/chromium.ts';
import { PNG_SIGNATURE } from '../support/images.ts';
import { baseUrl } from '../support/service.ts';
import { type Files, makeFiles } from './page-files.ts';
import { PATIENCE, VIEWPORT } from './tool-page.ts';

let files: Files;
const at = (name: string) => files.at(name);
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  files = await makeFiles();
  const pages = '1 1 9 { pop /Helvetica 40 selectfont 72 400 moveto (scan) show showpage } for';
  execFileSync('gs', ['-q', '-sDEVICE=pdfwrite', '-o', at('pages.pdf'), '-c', pages]);
  // The image exceeds 5 MB, because noise is incompressible. The service therefore stores the result before the page
  // gets it.
  const noise = { create: { width: 1800, height: 1200, channels: 3 as const, background: 'gray' } };
  const image = await sharp({
    ...noise,
    create: { ...noise.create, noise: { type: 'gaussian', mean: 128, sigma: 60 } },
  })
    .png({ compressionLevel: 0 })
    .toBuffer();
  expect(image.length).toBeGreaterThan(5 * 2 ** 20);
  writeFileSync(at('large.png'), image);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  files?.remove();
});
beforeEach(async () => {
  await context?.close();
  context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  page = await context.newPage();
});

const run = () => page.locator('#tool-form button.main').click();
const done = () => page.locator('#result[data-state="done"]').waitFor();
/** pdftotext ends each page with a form feed. */
const pagesOf = (path: string) =>
  execFileSync('pdftotext', [path, '-'], { encoding: 'utf8' }).split('\f').length - 1;

/** Returns the number of bytes stated in a string such as `about 12.5 KB`. */
function bytesIn(text: string): number {
  const [, amount, unit] = /([\d.]+) (bytes|KB|MB)/.exec(text)!;
  return Number(amount) * { bytes: 1, KB: 2 ** 10, MB: 2 ** 20 }[unit as 'KB'];
}

async function saved(name: RegExp): Promise<string> {
  const save = page.getByRole('link', { name });
  const [download] = await Promise.all([page.waitForEvent('download'), save.click()]);
  const path = at(`saved-${download.suggestedFilename()}`);
  await download.saveAs(path);
  return path;
}

describe('a result', () => {
  it.each([
    [1280, 800],
    [390, 844],
  ])(
    'of a large image is shown with its Save button and comparison in view, at %i by %i',
    async (width, height) => {
      await page.setViewportSize({ width, height });
      await page.goto(`${baseUrl}/tools/compress_image`);
      await page.setInputFiles('#files', at('large.png'));
      const stored: string[] = [];
      page.on('request', (request) => stored.push(new URL(request.url()).pathname));
      await run();
      await done();
      const buttons = page.locator('#result .output .actions').first().locator('a, button');
      expect(await buttons.nth(0).innerText()).toBe('Save large.webp');
      expect(await buttons.nth(1).innerText()).toBe('Open');
      expect(await buttons.nth(1).getAttribute('target')).toBe('_blank');
      const box = (await buttons.nth(0).boundingBox())!;
      expect(box.y).toBeGreaterThanOrEqual(0);
      expect(box.y + box.height).toBeLessThanOrEqual(height);
      expect(await page.locator('.output .sizes').innerText()).toMatch(
        /→.+% smaller.+1800 × 1200 pixels/s,
      );
      const path = await saved(/^Save large/);
      expect((await sharp(readFileSync(path)).metadata()).format).toBe('webp');
      expect(stored.filter((path) => path.startsWith('/files/'))).toEqual([]);
      expect(await violationsOf(page, '#result')).toEqual([]);
    },
  );

  it('is compared with the original at its actual size in a box that scrolls', async () => {
    await page.goto(`${baseUrl}/tools/compress_image`);
    await page.setInputFiles('#files', at('large.png'));
    await run();
    const image = page.locator('.output .compare img').first();
    const zoom = page.getByRole('button', { name: 'Actual size' });
    await zoom.click();
    expect((await image.boundingBox())!.width).toBe(1800);
    const isWider = () => document.documentElement.scrollWidth > innerWidth;
    expect(await page.evaluate(isWider)).toBe(false);
    expect(await page.locator('.image.actual').evaluate((box) => box.scrollLeft)).toBeGreaterThan(
      0,
    );
    expect(await violationsOf(page, '#result')).toEqual([]);
    await zoom.click();
    expect((await image.boundingBox())!.width).toBeLessThan(1000);
  });

  it.each(['compress_image', 'extract_text_ocr'])(
    'of %s from a file with a long name without spaces fits a phone',
    async (tool) => {
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(`${baseUrl}/tools/${tool}`);
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="80"><rect width="300" height="80" fill="white"/><text x="9" y="50" font-size="32">Some words</text></svg>`;
      const buffer = await sharp(Buffer.from(svg)).png().toBuffer();
      await page.setInputFiles('#files', {
        name: `${'x'.repeat(120)}.png`,
        mimeType: 'image/png',
        buffer,
      });
      await run();
      await page.locator('#result .main').first().waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    },
  );

  it('is previewed in the browser while the visitor sets the quality, close to its size', async () => {
    await page.goto(`${baseUrl}/tools/compress_image`);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.method()));
    const size = page.locator('.preview .sizes strong');
    const previewed = async (change: () => Promise<unknown>) => {
      const before = await size.textContent().catch(() => null);
      await change();
      await expect.poll(() => size.textContent()).not.toBe(before);
      return size.innerText();
    };
    const quality = page.getByRole('slider', { name: 'Quality' });
    await page.setInputFiles('#files', at('large.png'));
    await size.waitFor();
    const small = await previewed(() => quality.fill('0.3'));
    expect(bytesIn(small)).toBeLessThan(bytesIn(await previewed(() => quality.fill('0.8'))));
    expect(await violationsOf(page, '#result')).toEqual([]);
    const bySelf = bytesIn(await size.innerText());
    expect(sent).not.toContain('POST');
    await run();
    await done();
    expect(await page.locator('.preview').isVisible()).toBe(false);
    const byService = bytesIn(await page.locator('.output .sizes strong').innerText());
    expect(Math.abs(byService / bySelf - 1)).toBeLessThan(0.03);
    const format = page.getByLabel('Save as');
    expect(await previewed(() => format.selectOption('jpeg'))).toMatch(/^under /);
    expect((await sharp(await saved(/^Save this preview/)).metadata()).format).toBe('jpeg');
    await format.selectOption('avif');
    await page.getByText('There is no preview for AVIF').waitFor();
    expect(await page.locator('.preview img').count()).toBe(0);
    await page.getByRole('button', { name: 'Remove large.png' }).click();
    await page.locator('.preview').waitFor({ state: 'hidden' });
  });

  it('lets the next image replace its input, unless the form has changed since the run', async () => {
    await page.goto(`${baseUrl}/tools/compress_image`);
    await page.setInputFiles('#files', at('photo.jpg'));
    await run();
    await done();
    const names = () => page.locator('.files .name').allInnerTexts();
    await page.setInputFiles('#files', at('large.png'));
    expect(await names()).toEqual([expect.stringMatching(/^large.png/)]);
    await page.setInputFiles('#files', at('photo.jpg'));
    expect((await names()).length).toBe(2);
  });

  it('is previewed for the first of several images', async () => {
    await page.goto(`${baseUrl}/tools/compress_image`);
    await page.setInputFiles('#files', [at('photo.jpg'), at('large.png')]);
    await page.getByText('Preview of photo.jpg, one of 2 images').waitFor();
    await page.getByRole('button', { name: 'Remove photo.jpg' }).click();
    await page.getByText('Preview, made in your browser').waitFor();
  });

  it('is previewed below the quality on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${baseUrl}/tools/compress_image`);
    await page.setInputFiles('#files', at('large.png'));
    const image = page.locator('.preview .compare');
    await image.waitFor();
    const quality = (await page.getByRole('slider', { name: 'Quality' }).boundingBox())!;
    const { y } = (await image.boundingBox())!;
    expect(y).toBeGreaterThan(quality.y);
    expect(y - quality.y).toBeLessThan(400);
    expect(await page.locator('#result').isVisible()).toBe(false);
    expect(await violationsOf(page, '#tool-form')).toEqual([]);
  });

  it('is compared with the original by dragging on the image', async () => {
    await page.goto(`${baseUrl}/tools/compress_image`);
    await page.setInputFiles('#files', at('photo.jpg'));
    await run();
    const compare = page.locator('.output .compare');
    await compare.scrollIntoViewIfNeeded();
    const { x, y, width } = (await compare.boundingBox())!;
    await page.mouse.move(x + width / 2, y + 20);
    await page.mouse.down();
    await page.mouse.move(x + width / 4, y + 40);
    await page.mouse.up();
    expect(Number(await page.locator('.output .range input').last().inputValue())).toBeCloseTo(
      25,
      0,
    );
  });

  it('has a share link with its expiry and a QR code, which can be deleted, also after a reload', async () => {
    await page.goto(`${baseUrl}/tools/compress_image`);
    await page.setInputFiles('#files', at('photo.jpg'));
    await run();
    await page.getByRole('button', { name: 'Share a link' }).click();
    const link = (await page.locator('#result .codeblock code').textContent())!;
    expect((await page.request.get(link)).headers()['content-type']).toBe('image/webp');
    expect(await page.locator('#result').innerText()).toMatch(
      /Anyone with this link can open the file until/,
    );
    await page.getByRole('button', { name: 'QR code of this link' }).click();
    await page.getByRole('img', { name: 'QR code of the link' }).waitFor();
    expect(await violationsOf(page, '#result')).toEqual([]);
    await page.reload();
    await page.locator('#result .codeblock').getByText(link).waitFor();
    await page.getByRole('button', { name: 'Delete the link now' }).click();
    await page.getByText('The link was deleted.').waitFor();
    expect((await page.request.get(link)).status()).toBe(404);
  });

  it('becomes the input of another tool, in the same tab and in a new one', async () => {
    await page.goto(`${baseUrl}/tools/compress_image`);
    await page.setInputFiles('#files', at('photo.jpg'));
    await run();
    await page.getByText('Send to another tool in a new tab').click();
    const opened = context.waitForEvent('page');
    await page.getByRole('link', { name: 'Images to PDF' }).click();
    const other = await opened;
    await expect.poll(() => other.locator('.files .name').allInnerTexts()).toHaveLength(1);
    expect(await other.locator('.files .name').innerText()).toContain('photo.webp');
  });

  it('becomes the input of another tool together with the other results of the run', async () => {
    const sendAll = async (tool: string) => {
      await page.getByText('Send all to another tool in a new tab').click();
      const opened = context.waitForEvent('page');
      await page.getByRole('link', { name: tool }).click();
      const names = (await opened).locator('.files .name');
      await names.nth(1).waitFor();
      return (await names.allInnerTexts()).map((name) => name.split('\n')[0]);
    };
    await page.goto(`${baseUrl}/tools/split_pdf`);
    await page.setInputFiles('#files', at('pages.pdf'));
    await page.fill('#p-ranges', '1\n2-3');
    await run();
    expect(await sendAll('Merge PDFs')).toEqual(['pages-pages-1.pdf', 'pages-pages-2-3.pdf']);
    await page.goto(`${baseUrl}/tools/compress_image`);
    await page.setInputFiles('#files', ['photo.jpg', 'word.png'].map(at));
    await run();
    expect(await sendAll('Images to PDF')).toEqual(['photo.webp', 'word.webp']);
  });

  it('is shown again after a later run that fails, also after a reload', async () => {
    await page.goto(`${baseUrl}/tools/compress_image`);
    await page.setInputFiles('#files', at('photo.jpg'));
    await run();
    await page.getByText('Save photo.webp').waitFor();
    await page.fill('#p-width', '99999');
    await page.evaluate(() => {
      document.querySelector<HTMLFormElement>('#tool-form')!.noValidate = true;
    });
    await run();
    await page.locator('#p-width-error:not([hidden])').waitFor();
    const stale = page.getByText('The form has changed since this result was created.');
    await stale.waitFor();
    await saved(/^Save photo\.webp/);
    await page.reload();
    await page.getByText('Save photo.webp').waitFor();
  });

  it('is kept with its input after a reload, but not on a new visit', async () => {
    await page.goto(`${baseUrl}/tools/compress_image`);
    await page.setInputFiles('#files', at('photo.jpg'));
    await page.fill('#p-width', '120');
    await run();
    await page.getByText('Save photo.webp').waitFor();
    const sizes = await page.locator('.output .sizes').innerText();
    expect(sizes).toMatch(/→.+% smaller/s);
    const stale = page.getByText('The form has changed since this result was created.');
    await page.reload();
    await page.getByText('Save photo.webp').waitFor();
    expect(await page.inputValue('#p-width')).toBe('120');
    expect(await page.locator('.files .name').innerText()).toContain('photo.jpg');
    expect(await page.locator('.output .sizes').innerText()).toBe(sizes);
    expect(await stale.isVisible()).toBe(false);
    await page.fill('#p-width', '90');
    await page.reload();
    await page.getByText('Save photo.webp').waitFor();
    await stale.waitFor();
    expect(await page.locator('.output .sizes').innerText()).toMatch(/→.+% smaller/s);
    await page.goto(`${baseUrl}/tools/compress_image`);
    expect(await page.inputValue('#p-width')).toBe('');
    expect(await page.locator('.files .name').count()).toBe(0);
  });
});

describe('a result that is too large to survive a reload', () => {
  it('is kept until the visitor confirms to leave, unless it was saved', async () => {
    await page.goto(`${baseUrl}/tools/compress_image`);
    await page.setInputFiles('#files', at('large.png'));
    await page.selectOption('#p-format', 'png');
    await run();
    await done();
    const warning = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const dialog = await warning;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    await saved(/^Save large-compressed\.png/);
    const dialogs: string[] = [];
    page.on('dialog', async (dialog) => {
      dialogs.push(dialog.type());
      await dialog.accept();
    });
    await page.reload();
    expect(dialogs).toEqual([]);
    await page.getByText('The result could not be stored. Run the tool again.').first().waitFor();
    expect(await page.locator('#files-error').innerText()).toBe(
      'large.png could not be stored. Choose it again.',
    );
    expect(await page.locator('.files .name').count()).toBe(0);
  });
});

describe('a run of many files', () => {
  it('survives a reload, and names the inputs that do not', async () => {
    await page.goto(`${baseUrl}/tools/compress_image`);
    await page.setInputFiles('#files', ['photo.jpg', 'large.png', 'word.png'].map(at));
    await page.selectOption('#p-format', 'jpeg');
    const zip = page.getByRole('button', { name: 'Download all (ZIP)' });
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/run', async (route) => {
      const isLast = route.request().postDataBuffer()?.includes('word.png');
      if (isLast) await released;
      await route.continue();
    });
    await run();
    await page.getByText(/2 of 3 done/).waitFor();
    expect(await zip.isVisible()).toBe(false);
    release();
    await page.getByText(/3 of 3 done/).waitFor();
    await zip.waitFor();
    const results = page.locator('#result .files li');
    const names = ['photo-compressed.jpg', 'large.jpg', 'word.jpg'];
    const texts = await results.allInnerTexts();
    expect(texts.map((text) => text.split('\n')[0])).toEqual(names);
    await page.reload();
    await page.getByText(/3 of 3 done, .* smaller/).waitFor();
    expect(await results.allInnerTexts()).toEqual(texts);
    await saved(/^Save large\.jpg/);
    expect(await page.locator('#tool-form .files .name').allInnerTexts()).toEqual([
      expect.stringContaining('photo.jpg'),
      expect.stringContaining('word.png'),
    ]);
    expect(await page.locator('#files-error').innerText()).toBe(
      'large.png could not be stored. Choose it again.',
    );
  });

  it('that a reload stops can be continued file by file', async () => {
    await page.goto(`${baseUrl}/tools/compress_image`);
    await page.setInputFiles('#files', ['photo.jpg', 'word.png'].map(at));
    await page.route('**/run', (route) =>
      route.request().postDataBuffer()?.includes('word.png') ? undefined : route.continue(),
    );
    await run();
    await page.getByText(/1 of 2 done/).waitFor();
    await page.reload();
    const rows = page.locator('#result .files li');
    await expect.poll(() => rows.nth(1).innerText()).toMatch(/^word\.png\s+Not run\./);
    await page.unroute('**/run');
    await page.getByRole('button', { name: 'Retry word.png' }).click();
    await page.getByText(/2 of 2 done/).waitFor();
  });

  it('processes the files one by one, with a result for each, a retry, and one ZIP', async () => {
    writeFileSync(at('broken.png'), PNG_SIGNATURE);
    await page.goto(`${baseUrl}/tools/compress_image`);
    writeFileSync(at('notes.txt'), 'notes');
    const chosen = ['photo.jpg', 'notes.txt', 'broken.png', 'word.png'];
    await page.setInputFiles('#files', chosen.map(at));
    expect(await page.locator('#files-error').innerText()).toBe(
      'notes.txt is not an image. The file was not added.',
    );
    await run();
    await page.getByText(/2 of 3 done, .* → .*% smaller/).waitFor();
    const rows = page.locator('#result .files li');
    expect(await rows.nth(0).innerText()).toMatch(/photo\.webp\s+.* → .*% (smaller|larger)/s);
    await expect.poll(() => rows.nth(1).innerText()).toMatch(/damaged/);
    expect(await page.getByRole('button', { name: 'Retry' }).count()).toBe(0);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download all (ZIP)' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('compress-image-results.zip');
    await download.saveAs(at('all.zip'));
    const names = execFileSync('unzip', ['-Z1', at('all.zip')], { encoding: 'utf8' });
    expect(names.trim().split('\n').sort()).toEqual(['photo.webp', 'word.webp']);
    expect(await violationsOf(page, '#result')).toEqual([]);
  });

  it('shows the warnings of each result, also after a reload', async () => {
    const raw = { width: 64, height: 64, channels: 3 } as const;
    const noise = Uint8Array.from({ length: 64 * 64 * 3 }, (_, index) => (index * index) % 251);
    await sharp(noise, { raw }).jpeg({ quality: 5 }).toFile(at('noise.jpg'));
    await page.goto(`${baseUrl}/tools/compress_image`);
    await page.setInputFiles('#files', ['noise.jpg', 'word.png'].map(at));
    await page.selectOption('#p-format', 'png');
    await run();
    await page.getByText(/2 of 2 done/).waitFor();
    const warning = page.locator('#result .files li').first().locator('.warning');
    expect(await warning.innerText()).toMatch(/larger/);
    expect(await page.locator('#result .warning').count()).toBe(1);
    await page.reload();
    expect(await warning.innerText()).toMatch(/larger/);
  });

  it('runs again only the files without a result', async () => {
    await page.goto(`${baseUrl}/tools/compress_image`);
    await page.setInputFiles('#files', ['photo.jpg', 'word.png'].map(at));
    let sent = 0;
    await page.route('**/run', (route) => {
      sent += 1;
      if (sent > 1) return route.fulfill({ status: 503, json: { error: 'The service is busy.' } });
      return route.continue();
    });
    await run();
    await page.getByText('Not run.').waitFor();
    await page.getByText(/1 of 2 done/).waitFor();
    await page.unroute('**/run');
    const calls: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/run')) calls.push(request.method());
    });
    await run();
    await page.getByText(/2 of 2 done/).waitFor();
    expect(calls).toEqual(['POST']);
  });

  it.each([
    ['429', { status: 429, json: { error: 'Too many calls.' } }],
    ['503', { status: 503, json: { error: 'The service is busy.' } }],
    ['a lost connection', undefined],
  ])('offers a retry after %s', async (_, answer) => {
    await page.goto(`${baseUrl}/tools/compress_image`);
    await page.setInputFiles('#files', ['photo.jpg', 'word.png'].map(at));
    await page.route('**/run', (route) => (answer ? route.fulfill(answer) : route.abort()));
    await run();
    await page.getByText('0 of 2 done').waitFor();
    // The reason is shown once, above the rows.
    expect(await page.locator('#result .notice.bad p').count()).toBe(1);
    expect(await page.locator('#result .files .error').count()).toBe(0);
    const retry = page.getByRole('button', { name: 'Retry word.png' });
    await retry.waitFor();
    await page.unroute('**/run');
    await retry.click();
    await page.getByText(/1 of 2 done/).waitFor();
    await page.getByRole('link', { name: 'Save word.webp' }).waitFor();
  });
});

describe('the page picker for PDFs', () => {
  it('selects pages by click, by range and by typing, and keeps all three in sync', async () => {
    await page.goto(`${baseUrl}/tools/split_pdf`);
    await page.setInputFiles('#files', at('pages.pdf'));
    const tile = (number: number) =>
      page.getByRole('button', { name: new RegExp(`^Page ${number}\\b`) });
    const ranges = page.locator('#p-ranges');
    await tile(2).click();
    await tile(4).click({ modifiers: ['Shift'] });
    await tile(7).click();
    expect(await ranges.inputValue()).toBe('2-4, 7');
    await ranges.fill('1\n8-9');
    await expect.poll(() => tile(8).getAttribute('aria-pressed')).toBe('true');
    expect(await tile(2).getAttribute('aria-pressed')).toBe('false');
    await ranges.fill('8-12');
    await run();
    expect(await page.locator('#p-ranges-error').innerText()).toBe(
      'There is no page 12: the document has 9 pages.',
    );
    // The page numbers of the file are not known yet when the form is submitted.
    await page.setInputFiles('#files', at('first.pdf'));
    await page.locator('#tool-form [type=submit]').click();
    await expect
      .poll(() => page.locator('#p-ranges-error').innerText())
      .toContain('There is no page');
    expect(await page.getByRole('link', { name: /^Save/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Remove first.pdf' }).click();
    await ranges.fill('2-4, 7');
    expect(await violationsOf(page, '#tool-form')).toEqual([]);
    await run();
    expect(pagesOf(await saved(/^Save pages/))).toBe(4);
  });

  it('preserves the typed order when a page is clicked, and shows which PDF will contain a page', async () => {
    await page.goto(`${baseUrl}/tools/split_pdf`);
    await page.setInputFiles('#files', at('pages.pdf'));
    const ranges = page.locator('#p-ranges');
    const button = (number: number) => page.locator('.pages button').nth(number - 1);
    await button(9).waitFor();
    await ranges.fill('7, 1-3');
    await button(5).click();
    expect(await ranges.inputValue()).toBe('7, 1-3, 5');
    await button(2).click();
    expect(await ranges.inputValue()).toBe('7, 1, 3, 5');
    await ranges.fill('2, 4');
    await button(3).click();
    expect(await ranges.inputValue()).toBe('2-4');
    await page.getByRole('button', { name: 'Start another PDF' }).click();
    await button(9).click();
    await button(8).click();
    expect(await ranges.inputValue()).toBe('2-4\n8-9');
    expect(await button(3).getAttribute('aria-label')).toBe('Page 3, in PDF 1');
    expect(await button(9).getAttribute('data-part')).toBe('2');
    expect(await button(5).getAttribute('aria-pressed')).toBe('false');
    await page.getByLabel('Pages in each PDF').fill('4');
    await page.getByRole('button', { name: 'Divide' }).click();
    expect(await ranges.inputValue()).toBe('1-4\n5-8\n9');
  });

  it('puts every page on a line with one click', async () => {
    await page.goto(`${baseUrl}/tools/split_pdf`);
    const single = page.getByRole('button', { name: 'Divide' });
    await page.setInputFiles('#files', at('first.pdf'));
    await page.getByRole('button', { name: 'Page 1', exact: true }).waitFor();
    expect(await single.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Remove first.pdf' }).click();
    await page.setInputFiles('#files', at('pages.pdf'));
    await single.click();
    expect(await page.inputValue('#p-ranges')).toBe('1\n2\n3\n4\n5\n6\n7\n8\n9');
    const lines = await page
      .locator('#p-ranges')
      .evaluate(
        (field) => field.clientHeight / Number.parseFloat(getComputedStyle(field).lineHeight),
      );
    expect(Math.floor(lines)).toBe(8);
    expect(await violationsOf(page, '#tool-form')).toEqual([]);
    await run();
    await page.locator('.panels canvas').nth(8).waitFor();
    expect(await page.locator('.panels strong').allInnerTexts()).toContain('Page 9');
  });

  it('excludes pages from a merge by click, and moves them by arrow buttons and by dragging', async () => {
    await page.goto(`${baseUrl}/tools/merge_pdf`);
    await page.setInputFiles('#files', [at('pages.pdf'), at('first.pdf')]);
    await page.getByRole('button', { name: 'Page 3', exact: true }).click();
    const summary = page.locator('.files summary').first();
    expect(await summary.innerText()).toBe('8 of 9 pages');
    await page.getByRole('button', { name: 'Move page 9 back' }).press('Enter');
    expect(await summary.innerText()).toBe('8 of 9 pages, rearranged');
    const tiles = page.locator('.files .pages li');
    await tiles.nth(0).dragTo(tiles.nth(1));
    await expect.poll(() => tiles.nth(0).innerText()).toContain('2');
    expect(await violationsOf(page, '#tool-form')).toEqual([]);
    const extracted = page.waitForResponse('**/tools/split_pdf/run');
    await run();
    // The file name lists the numbers of the extracted pages.
    expect((await extracted).headers()['content-disposition']).toContain('2_1_4-7_9_8');
    expect(pagesOf(await saved(/^Save merged/))).toBe(9);
  });
});

it.each([
  [1280, 800],
  [390, 844],
])('shows all pages of a small PDF without a scroll area, at %s x %s', async (width, height) => {
  await page.setViewportSize({ width, height });
  for (const name of ['split_pdf', 'rotate_pdf']) {
    await page.goto(`${baseUrl}/tools/${name}`);
    await page.setInputFiles('#files', at('pages.pdf'));
    const pages = page.locator('#tool-form .pages');
    await pages.locator('li').nth(8).waitFor();
    const hidden = await pages.evaluate((list) => list.scrollHeight - list.clientHeight);
    expect(hidden, name).toBe(0);
  }
});

it('shows the first page and the number of pages of each PDF to merge, also in a new order', async () => {
  await page.goto(`${baseUrl}/tools/merge_pdf`);
  await page.setInputFiles('#files', [at('pages.pdf'), at('first.pdf')]);
  const rows = page.locator('.files > li');
  await expect.poll(() => rows.nth(0).locator('.hint').innerText()).toMatch(/KB, 9 pages$/);
  await expect.poll(() => rows.nth(1).locator('.hint').innerText()).toMatch(/KB, 1 page$/);
  await page.getByRole('button', { name: 'Move first.pdf up' }).click();
  expect(await rows.nth(0).locator('.hint').innerText()).toMatch(/, 1 page$/);
  expect(await page.locator('.files > li > canvas').count()).toBe(2);
});

it('opens the pages of a few short PDFs to merge, except on a phone', async () => {
  const choose = async (names: string[]) => {
    await page.goto(`${baseUrl}/tools/merge_pdf`);
    await page.setInputFiles('#files', names.map(at));
    const last = page.locator('.files > li').last().locator('.hint');
    await expect.poll(() => last.innerText(), PATIENCE).toMatch(/ pages?$/);
  };
  const open = () => page.locator('.files details[open]').count();
  await page.setViewportSize(VIEWPORT);
  await choose(['pages.pdf', 'first.pdf', 'second.pdf']);
  expect(await open()).toBe(3);
  await page.locator('.files summary').first().click();
  await page.getByRole('button', { name: 'Move first.pdf up' }).click();
  expect(await open()).toBe(2);
  await choose(['pages.pdf', 'first.pdf', 'second.pdf', 'first.pdf']);
  expect(await open()).toBe(0);
  await page.setViewportSize({ width: 390, height: 844 });
  await choose(['pages.pdf', 'first.pdf']);
  expect(await open()).toBe(0);
  await page.setViewportSize(VIEWPORT);
});

it('draws pages with JPEG 2000 images', async () => {
  const image = files.at('image.jp2');
  const source = ['-f', 'lavfi', '-i', 'color=red:size=64x64', '-frames:v', '1'];
  execFileSync('ffmpeg', [
    '-v',
    'error',
    ...source,
    '-pix_fmt',
    'rgb24',
    '-c:v',
    'jpeg2000',
    image,
  ]);
  const document = await PDFDocument.create();
  const added = document.addPage([200, 200]);
  const dictionary = { Type: 'XObject', Subtype: 'Image', Width: 64, Height: 64 };
  const stream = document.context.stream(readFileSync(image), {
    ...dictionary,
    Filter: 'JPXDecode',
  });
  added.node.setXObject(PDFName.of('Image'), document.context.register(stream));
  added.node.addContentStream(
    document.context.register(document.context.stream('200 0 0 200 0 0 cm /Image Do')),
  );
  writeFileSync(at('jpx.pdf'), await document.save());
  await page.goto(`${baseUrl}/tools/split_pdf`);
  await page.setInputFiles('#files', at('jpx.pdf'));
  const drawn = page.locator('.pages canvas');
  const color = () =>
    drawn.evaluate((canvas: HTMLCanvasElement) => [
      ...canvas.getContext('2d')!.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data,
    ]);
  // The canvas is transparent until the page is drawn.
  const isRed = async () => {
    const [red = 0, green = 0] = await color();
    return red > 200 && green < 40;
  };
  await expect.poll(isRed).toBe(true);
});

it('merge_pdf rotates a page in the browser before it sends the files, also after a reload', async () => {
  await page.goto(`${baseUrl}/tools/merge_pdf`);
  await page.setInputFiles('#files', [at('pages.pdf'), at('first.pdf')]);
  const summary = page.locator('.files summary').first();
  await page.getByRole('button', { name: 'Rotate page 2 right' }).click();
  expect(await summary.innerText()).toBe('9 of 9 pages, rotated');
  expect(await violationsOf(page, '#tool-form')).toEqual([]);
  await page.reload();
  await expect.poll(() => summary.innerText()).toBe('9 of 9 pages, rotated');
  await run();
  const merged = await saved(/^Save merged/);
  const facts = execFileSync('pdfinfo', ['-f', '1', '-l', '3', merged], { encoding: 'utf8' });
  expect(facts.match(/(?<=rot: +)\d+/g)).toEqual(['0', '90', '0']);
});

it('Enter submits a field of one line, and Shift+Enter starts a new line', async () => {
  await page.goto(`${baseUrl}/tools/generate_qr_code`);
  await page.fill('#p-text', 'one');
  await page.locator('#p-text').press('Shift+Enter');
  expect(await page.inputValue('#p-text')).toBe('one\n');
  await page.locator('#p-text').press('Enter');
  await done();
  expect(await page.inputValue('#p-text')).toBe('one\n');
});

describe('a document', () => {
  it.each([
    ['an image', 1, '#form-error', '"scan.pdf" contains images without text. '],
    [
      'an image and a page of text',
      2,
      '.notice.warn li',
      'Page 1: there are only images and no text layer. ',
    ],
  ])('is read by OCR on request if it is %s', async (_, pages, at, reason) => {
    const svg =
      '<svg width="900" height="600"><text x="60" y="200" font-size="60">Hello</text></svg>';
    const image = await sharp(Buffer.from(svg)).flatten({ background: 'white' }).png().toBuffer();
    const document = await PDFDocument.create();
    document
      .addPage([450, 300])
      .drawImage(await document.embedPng(image), { width: 450, height: 300 });
    for (let page = 2; page <= pages; page += 1) document.addPage().drawText('World');
    const scan = {
      name: 'scan.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from(await document.save()),
    };
    await page.goto(`${baseUrl}/tools/parse_document`);
    await page.setInputFiles('#files', scan);
    await page.selectOption('#p-ocr', 'off');
    await run();
    const button = page.locator(at).getByRole('button', { name: 'Recognize their text' });
    await button.waitFor();
    expect(await page.locator(at).innerText()).toBe(`${reason}Recognize their text`);
    expect(await violationsOf(page)).toEqual([]);
    await button.click();
    await page.locator('.output', { hasText: 'Hello' }).waitFor();
    expect(await page.inputValue('#p-ocr')).toBe('auto');
    expect(await button.count()).toBe(0);
  });

  it('is read again in the language that its text looks like', async () => {
    const lines = [
      'Der Vertrag wird mit der Stadt und den Bewohnern geschlossen',
      'und ist nicht nur eine Vereinbarung, die von dem Rat kommt,',
      'aber auch ein Versprechen, das sich nach der Zeit richtet.',
      'Der Rat der Stadt ist von dem Vertrag nicht ausgenommen.',
    ].map((line, index) => `<text x="60" y="${100 + 60 * index}" font-size="32">${line}</text>`);
    const svg = `<svg width="1100" height="400">${lines.join('')}</svg>`;
    const buffer = await sharp(Buffer.from(svg)).flatten({ background: 'white' }).png().toBuffer();
    await page.goto(`${baseUrl}/tools/extract_text_ocr`);
    await page.setInputFiles('#files', { name: 'scan.png', mimeType: 'image/png', buffer });
    await run();
    const warning = page.locator('.notice.warn li');
    await warning.getByRole('button', { name: 'Run again with German' }).click();
    await warning.waitFor({ state: 'detached' });
    expect(await page.inputValue('#p-language')).toBe('deu');
    await done();
    expect(await page.locator('.output').innerText()).toContain('mit der Stadt');
  });

  it('is shown beside its text page by page, numbered as in the document', async () => {
    await page.goto(`${baseUrl}/tools/parse_document`);
    await page.setInputFiles('#files', at('pages.pdf'));
    await page.locator('summary', { hasText: 'More options' }).click();
    await page.fill('#p-pages', '3, 8-9');
    await run();
    await done();
    await page.getByRole('button', { name: 'Compare with the original' }).click();
    const dialog = page.getByRole('dialog');
    const rows = dialog.getByRole('listitem');
    await expect
      .poll(() => rows.evaluateAll((items) => items.map(({ ariaLabel }) => ariaLabel)))
      .toEqual(['Page 3', 'Page 8', 'Page 9']);
    expect(await dialog.locator('.page-text').allInnerTexts()).toEqual(['scan', 'scan', 'scan']);
    await expect
      .poll(() =>
        dialog
          .locator('canvas')
          .first()
          .evaluate((canvas: HTMLCanvasElement) => {
            const { width, height } = canvas;
            const { data } = canvas.getContext('2d')!.getImageData(0, 0, width, height);
            return data.some(
              (value, index) => index % 4 === 0 && data[index + 3] === 255 && value < 99,
            );
          }),
      )
      .toBe(true);
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await dialog.count()).toBe(0);
  });

  it('is saved with the extension of the chosen format', async () => {
    await page.goto(`${baseUrl}/tools/parse_document`);
    await page.setInputFiles('#files', at('pages.pdf'));
    await page.getByLabel('Save as').selectOption('markdown');
    await run();
    await page.getByRole('button', { name: 'Save as pages.md' }).waitFor();
  });

  it.each(['merge_pdf', 'compress_pdf', 'parse_document', 'split_pdf'])(
    'that needs a password is refused by %s when it is chosen',
    async (tool) => {
      execFileSync('qpdf', [
        ...['--encrypt', 'secret', 'owner', '256', '--', at('pages.pdf'), at('locked.pdf')],
      ]);
      execFileSync('qpdf', [
        ...['--encrypt', '', 'owner', '256', '--', at('pages.pdf'), at('open.pdf')],
      ]);
      await page.goto(`${baseUrl}/tools/${tool}`);
      await page.setInputFiles('#files', at('locked.pdf'));
      await expect
        .poll(() => page.locator('#files-error').innerText())
        .toContain('locked.pdf needs a password.');
      expect(await page.locator('.files .name').count()).toBe(0);
      expect(await page.locator('.error:not([hidden])').count()).toBe(1);
      await page.setInputFiles('#files', at('open.pdf'));
      await page.locator('.files .name').waitFor();
      expect(await page.locator('#files-error').innerText()).toBe('');
    },
  );

  it('is compressed at the strong level that the visitor chooses', async () => {
    await page.goto(`${baseUrl}/tools/compress_pdf`);
    await page.setInputFiles('#files', at('pages.pdf'));
    const level = page.getByLabel('Compression level');
    expect(await level.inputValue()).toBe('standard');
    await level.selectOption({ label: 'Strong' });
    expect(await level.inputValue()).toBe('strong');
    await run();
    await done();
    expect(await violationsOf(page)).toEqual([]);
  });

  it('offers the strong level if the standard level saves little', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const;
    const scan = await sharp({
      create: { width: 1600, height: 2260, channels: 3, background: 'gray', noise },
    })
      .jpeg({ quality: 60 })
      .toBuffer();
    await page.goto(`${baseUrl}/tools/images_to_pdf`);
    await page.setInputFiles('#files', [
      { name: 'scan.jpg', mimeType: 'image/jpeg', buffer: scan },
    ]);
    await run();
    const pdf = await saved(/^Save /);
    await page.goto(`${baseUrl}/tools/compress_pdf`);
    await page.setInputFiles('#files', pdf);
    await run();
    const button = page.getByRole('button', { name: 'Run again with Strong' });
    await button.click();
    await button.waitFor({ state: 'detached' });
    await done();
    expect(await page.getByLabel('Compression level').inputValue()).toBe('strong');
    expect(await button.count()).toBe(0);
  });

  it('is compared page by page with the compressed PDF', async () => {
    await page.goto(`${baseUrl}/tools/compress_pdf`);
    await page.setInputFiles('#files', at('pages.pdf'));
    await run();
    await done();
    await page.getByRole('button', { name: 'Compare with the original' }).click();
    const rows = page.getByRole('dialog').getByRole('listitem');
    await expect.poll(() => rows.count()).toBe(9);
    await expect.poll(() => rows.first().locator('canvas[aria-label="Page 1"]').count()).toBe(2);
    expect(await violationsOf(page)).toEqual([]);
    // A page that leaves the view is removed from memory, and drawn again when it returns.
    const width = () =>
      rows
        .first()
        .locator('canvas')
        .first()
        .evaluate((canvas: HTMLCanvasElement) => canvas.width);
    expect(await width()).toBe(1000);
    await rows.last().scrollIntoViewIfNeeded();
    await expect.poll(width).toBe(0);
    await rows.first().scrollIntoViewIfNeeded();
    await expect.poll(width).toBe(1000);
    await page.getByRole('button', { name: 'Close' }).click();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('refuses a file with another extension when it is chosen, and names the tool for images', async () => {
    await page.goto(`${baseUrl}/tools/parse_document`);
    await page.setInputFiles('#files', at('large.png'));
    expect(await page.locator('#files-error').innerText()).toBe(
      'large.png is not a PDF or TXT file. The file was not added. Save a document as a PDF. For an image, use Extract text by OCR.',
    );
    expect(await page.locator('#files-error a').getAttribute('href')).toBe(
      '/tools/extract_text_ocr',
    );
    expect(await page.locator('.files .name').count()).toBe(0);
  });
});

it.each([
  ...['merge_pdf', 'split_image', 'extract_text_ocr', 'encode_base64', 'images_to_pdf'],
  'rotate_pdf',
])('%s runs on a sample in one click', async (name) => {
  await page.goto(`${baseUrl}/tools/${name}`);
  await page.getByRole('button', { name: 'Try it with a sample' }).click();
  await done();
  expect(await page.locator('.error:visible, #form-error:visible').count()).toBe(0);
});
