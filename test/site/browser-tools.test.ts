/**
 * Tests the tools whose pages have their own form. Each tool works offline after its page has loaded, and sends no
 * data.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSampleFiles } from '../content/sample-files.ts';
import { violationsOf } from '../support/axe.ts';
import { openBrowser } from '../support/chromium.ts';
import { baseUrl, body, execute } from '../support/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'tools-browser-'));
let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

interface Offline {
  context: BrowserContext;
  page: Page;
  requests: string[];
}

/** Loads the page of a tool, disconnects the network, and then records all requests of the page. */
async function offline(tool: string): Promise<Offline> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto(`${baseUrl}/tools/${tool}`, { waitUntil: 'networkidle' });
  await context.setOffline(true);
  const requests: string[] = [];
  page.on('request', (request) => {
    if (!/^(blob|data):/.test(request.url())) requests.push(request.url());
  });
  return { context, page, requests };
}

describe('test_regex', () => {
  it('lists every match with its groups, and replaces', async () => {
    const { context, page, requests } = await offline('test_regex');
    await expect.poll(() => page.locator('#count').innerText()).toBe('2 matches');
    expect(await page.locator('#matches tr').first().innerText()).toMatch(
      /9\s+2025-03\s+year = 2025, month = 03/,
    );
    const pattern = await page.inputValue('#pattern');
    await page.fill('#pattern', String.raw`(?<y>\d{4})-(\d\d)`);
    await expect
      .poll(() => page.locator('#matches tr').first().innerText())
      .toContain('y = 2025, 2 = 03');
    await page.fill('#pattern', pattern);
    await page.locator('summary', { hasText: 'Replace the matches' }).click();
    await expect.poll(() => page.locator('#replaced').innerText()).toContain('First on -01');
    await page.getByLabel('Replacement').fill('$<month>/$<year>');
    await expect.poll(() => page.locator('#replaced').innerText()).toContain('03/2025-01');
    await page.getByLabel('Flags').fill('gg');
    await page.locator('#flags + #flags-error', { hasText: 'once' }).waitFor();
    expect(await page.locator('#pattern-error').isVisible()).toBe(false);
    await page.getByLabel('Flags').fill('g');
    await page.getByLabel('Expression').fill('(');
    await page.locator('#pattern + #pattern-error', { hasText: 'Invalid' }).waitFor();
    const describedBy = await page.getByLabel('Expression').getAttribute('aria-describedby');
    expect(describedBy!.split(' ')).toContain('pattern-error');
    expect(requests).toEqual([]);
    await context.close();
  });

  it('fills in a common pattern, and shows which one the expression is', async () => {
    const { context, page, requests } = await offline('test_regex');
    await page.fill('#text', 'From 10.0.0.1 to ada@example.org');
    await page.selectOption('#common', { label: 'IPv4 address' });
    await expect.poll(() => page.locator('#count').innerText()).toBe('1 match');
    expect(await page.locator('#marked mark').innerText()).toBe('10.0.0.1');
    await page.fill('#pattern', 'ada');
    expect(await page.inputValue('#common')).toBe('');
    expect(requests).toEqual([]);
    await context.close();
  });

  it('stops a runaway expression and accepts the next one', async () => {
    const { context, page } = await offline('test_regex');
    await page.getByLabel('Text', { exact: true }).fill(`${'a'.repeat(40)}!`);
    await page.evaluate(() => {
      const count = document.getElementById('count')!;
      new MutationObserver(() => {
        count.dataset.shown = `${count.dataset.shown ?? ''} ${count.textContent}`;
      }).observe(count, { childList: true });
    });
    await page.getByLabel('Expression').fill('(a+)+$');
    await page.locator('#pattern-error', { hasText: 'was stopped' }).waitFor();
    expect(await page.locator('#count').getAttribute('data-shown')).toContain('Working…');
    await page.getByLabel('Expression').fill('a{40}');
    await expect.poll(() => page.locator('#count').innerText()).toBe('1 match');
    await context.close();
  });

  it('offers to split an expression with slashes and flags that has no match', async () => {
    const { context, page } = await offline('test_regex');
    await page.getByLabel('Text', { exact: true }).fill('abc ABC /x/');
    const pattern = page.getByLabel('Expression');
    const count = () => page.locator('#count').innerText();
    await pattern.fill('/x/');
    await expect.poll(count).toBe('1 match');
    expect(await page.locator('#slashes').isVisible()).toBe(false);
    await pattern.fill('/abc/gi');
    const split = page.getByRole('button', { name: 'Remove the slashes and set the flags to gi' });
    await split.waitFor();
    expect(await pattern.inputValue()).toBe('/abc/gi');
    await split.click();
    await expect.poll(count).toBe('2 matches');
    expect(await pattern.inputValue()).toBe('abc');
    expect(await page.getByLabel('Flags').inputValue()).toBe('gi');
    expect(await split.isVisible()).toBe(false);
    await context.close();
  });

  it('counts more matches than it lists, and explains syntax of other languages', async () => {
    const { context, page } = await offline('test_regex');
    const count = () => page.locator('#count').innerText();
    await page.fill('#text', 'ab '.repeat(4500));
    await page.fill('#pattern', 'a');
    await expect.poll(count).toBe('4,500 matches, of which the first 1,000 are listed');
    await page.fill('#pattern', '\\Aab');
    await expect.poll(count).toMatch(/^0 matches. JavaScript reads/);
    await page.fill('#pattern', '(?i)AB');
    await expect
      .poll(() => page.locator('#pattern-error').innerText())
      .toContain('group. JavaScript accepts flags in the pattern only for a group');
    await context.close();
  });

  it('explains the expression while the explanation is open', async () => {
    const page = await browser.newPage();
    const scripts: string[] = [];
    page.on('request', (request) => scripts.push(request.url()));
    await page.goto(`${baseUrl}/tools/test_regex`, { waitUntil: 'networkidle' });
    const isLoaded = () => scripts.some((url) => url.includes('explain-regex'));
    expect(isLoaded()).toBe(false);
    await page.locator('summary', { hasText: 'What this pattern means' }).click();
    const parts = page.locator('#parts');
    const item = (text: string) => parts.locator('li', { hasText: text }).first();
    await item('group 1, named year').locator('li', { hasText: 'a digit, exactly 4' }).waitFor();
    expect(isLoaded()).toBe(true);
    expect(await violationsOf(page, 'main')).toEqual([]);
    await page.fill('#pattern', 'cat|dogs?');
    await item('alternative 1 of 2: the text "cat"').waitFor();
    await page.fill('#pattern', '('.repeat(10_000));
    await expect.poll(() => parts.innerText()).toContain('nested too deeply');
    await page.close();
  });

  it('fills the fields from a copied link, and allows changes to them', async () => {
    const context = await browser.newContext({
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const page = await context.newPage();
    await page.goto(`${baseUrl}/tools/test_regex`, { waitUntil: 'networkidle' });
    await page.fill('#pattern', 'a+&b #');
    await page.fill('#flags', 'i');
    await page.fill('#text', 'A+&b\nab');
    const copied = async (confirmation: string) => {
      await page.locator('#copy-link').click();
      await page.locator('#copy-link', { hasText: confirmation }).waitFor();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    const link = await copied('Copied');
    await page.fill('#text', 'a'.repeat(8000));
    expect(await copied('without the text')).toBe(
      `${baseUrl}/tools/test_regex#pattern=a%2B%26b+%23&flags=i`,
    );
    const other = await context.newPage();
    await other.goto(link, { waitUntil: 'networkidle' });
    expect(await other.inputValue('#pattern')).toBe('a+&b #');
    expect(await other.inputValue('#flags')).toBe('i');
    expect(await other.inputValue('#text')).toBe('A+&b\nab');
    await other.fill('#pattern', 'ab');
    await expect.poll(() => other.locator('#count').innerText()).toBe('1 match');
    await other.reload({ waitUntil: 'networkidle' });
    expect(await other.inputValue('#pattern')).toBe('ab');
    await context.close();
  });

  it('shows the first matches on a phone, and no gap below the text', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    await page.goto(`${baseUrl}/tools/test_regex`, { waitUntil: 'networkidle' });
    const box = async (selector: string) => (await page.locator(selector).boundingBox())!;
    const common = await box('#common');
    const label = await box('label[for="pattern"]');
    expect(common.x).toBeGreaterThanOrEqual(label.x + label.width);
    const marked = await box('#marked');
    expect(marked.y + marked.height).toBeLessThan(844);
    const text = await box('#text');
    expect((await box('#replacing')).y - text.y - text.height).toBeLessThan(30);
    await page.close();
  });
});

describe('preview_markdown', () => {
  it('aligns the cells of a table', async () => {
    const { context, page } = await offline('preview_markdown');
    await page
      .getByLabel('Markdown', { exact: true })
      .fill('| a | b | c |\n| :-- | :-: | --: |\n| 1 | 2 | 3 |');
    const alignments = () =>
      page
        .locator('#preview :is(th, td)')
        .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell).textAlign));
    const row = ['left', 'center', 'right'];
    await expect.poll(alignments).toEqual([...row, ...row]);
    await context.close();
  });

  it('shows a placeholder for an image, which the HTML contains', async () => {
    const { context, page, requests } = await offline('preview_markdown');
    await page
      .getByLabel('Markdown', { exact: true })
      .fill(
        '![The logo](https://x.example/logo.png)\n\n[![build](b.svg)](docs/a.md)\n\n![no](data:image/png;base64,AA) [no](<java\tscript:alert(1)>)',
      );
    await expect
      .poll(() => page.locator('#preview .unloaded').allInnerTexts())
      .toEqual(['Image: The logo', 'Image: build']);
    expect(await page.locator('#html').textContent()).toBe(
      '<p><img src="https://x.example/logo.png" alt="The logo"></p>\n<p><a href="docs/a.md"><img src="b.svg" alt="build"></a></p>\n<p>no no</p>\n',
    );
    expect(await page.locator('#preview img').count()).toBe(0);
    expect(requests).toEqual([]);
    await context.close();
  });

  it('shows footnotes, which link to their references, and alerts', async () => {
    const { context, page } = await offline('preview_markdown');
    await page
      .getByLabel('Markdown', { exact: true })
      .fill('A claim.[^source]\n\n[^source]: The *proof*.\n\n> [!WARNING]\n> Hot');
    const preview = page.locator('#preview');
    await expect.poll(() => preview.locator('.markdown-alert').innerText()).toBe('Warning\n\nHot');
    expect(await preview.locator('.footnotes li').innerText()).toBe('The proof. ↩');
    await preview.locator('sup a').click();
    expect(await page.locator('li:target').innerText()).toBe('The proof. ↩');
    expect(await violationsOf(page, 'main')).toEqual([]);
    await context.close();
  });

  it('renders Markdown without scripts or requests to other hosts', async () => {
    const { context, page, requests } = await offline('preview_markdown');
    await page
      .getByLabel('Markdown', { exact: true })
      .fill(
        '# Hi\n\n**b** <img src=x onerror=alert(1)> ![p](https://x.example/p.png) [j](javascript:alert(1))\n\n| a |\n| --- |\n| 1 |',
      );
    const preview = page.locator('#preview');
    await expect.poll(() => preview.locator('h1').innerText()).toBe('Hi');
    expect(await preview.locator('strong').innerText()).toBe('b');
    expect(await preview.locator('td').innerText()).toBe('1');
    expect(await preview.locator('img, script, a').count()).toBe(0);
    expect(requests).toEqual([]);
    await context.close();
  });
});

describe('decode_qr_code', () => {
  const TEXT = 'https://example.com/?q=Grüße';

  it.each([
    ['as it is', (image: Sharp) => image],
    ['turned', (image: Sharp) => image.rotate(30, { background: 'white' })],
    ['light on dark', (image: Sharp) => image.negate()],
    ['large', (image: Sharp) => image.resize(3000, 3000, { kernel: 'nearest' })],
    ['small', (image: Sharp) => image.resize(90, 90)],
  ])('reads a code that is %s', async (name, change) => {
    const { dataUrl } = await body(await execute('generate_qr_code', { text: TEXT, size: 400 }));
    const png = Buffer.from(dataUrl.split(',')[1], 'base64');
    const path = join(folder, `${name}.png`);
    writeFileSync(path, await change(sharp(png)).png().toBuffer());
    const { context, page, requests } = await offline('decode_qr_code');
    await page.setInputFiles('#files', path);
    await expect.poll(() => page.locator('#output code').innerText()).toBe(TEXT);
    expect(requests).toEqual([]);
    await context.close();
  });

  it('reads a sample', async () => {
    const page = await browser.newPage();
    await page.goto(`${baseUrl}/tools/decode_qr_code`);
    await page.getByRole('button', { name: 'Try it with a sample' }).click();
    await expect.poll(() => page.locator('#output code').innerText()).toBe('https://example.com/');
    await page.close();
  });

  it('clears the result of a removed image, even one that is still being read', async () => {
    const path = join(folder, 'taken-out.png');
    const { dataUrl } = await body(await execute('generate_qr_code', { text: TEXT, size: 400 }));
    writeFileSync(path, Buffer.from(dataUrl.split(',')[1], 'base64'));
    const { context, page } = await offline('decode_qr_code');
    const removeIt = () => page.getByRole('button', { name: /^Remove/ }).click();
    const isShown = () => page.locator('#preview').isVisible();
    await page.setInputFiles('#files', path);
    await expect.poll(() => page.locator('#output code').count()).toBe(1);
    await removeIt();
    expect([await page.locator('#output code').count(), await isShown()]).toEqual([0, false]);
    await page.evaluate(() => {
      const real = createImageBitmap;
      globalThis.createImageBitmap = async (file: ImageBitmapSource) => {
        const bitmap = await real(file);
        await new Promise((goOn) => document.addEventListener('go-on', goOn, { once: true }));
        return bitmap;
      };
    });
    await page.setInputFiles('#files', path);
    await page.waitForTimeout(300);
    await removeIt();
    await page.evaluate(() => document.dispatchEvent(new Event('go-on')));
    await page.waitForTimeout(300);
    expect([await page.locator('#output code').count(), await isShown()]).toEqual([0, false]);
    await context.close();
  });

  it('lists every code of an image', async () => {
    const texts = [1, 2, 3].map((page) => `https://example.com/menu/${page}`);
    const codes = await Promise.all(
      texts.map(async (text, index) => {
        const { dataUrl } = await body(await execute('generate_qr_code', { text, size: 300 }));
        const input = Buffer.from(dataUrl.split(',')[1], 'base64');
        return { input, left: index * 320, top: 0 };
      }),
    );
    const path = join(folder, 'three.png');
    await sharp({ create: { width: 940, height: 300, channels: 3, background: 'white' } })
      .composite(codes)
      .toFile(path);
    const { context, page } = await offline('decode_qr_code');
    await page.setInputFiles('#files', path);
    const shown = () => page.locator('#output code').allInnerTexts();
    await expect.poll(async () => (await shown()).toSorted()).toEqual(texts);
    await context.close();
  });

  it('shows a field error if the image has no QR code', async () => {
    const path = join(folder, 'plain.png');
    await sharp({ create: { width: 300, height: 200, channels: 3, background: 'teal' } })
      .png()
      .toFile(path);
    const { context, page } = await offline('decode_qr_code');
    await page.setInputFiles('#files', path);
    await page.locator('#files-error', { hasText: 'No QR code' }).waitFor();
    await context.close();
  });

  it.each([
    ['text.png', 'no image'],
    ['report.pdf', '%PDF-1.7\n'],
  ])('shows in view that %s is not an image', async (name, content) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    const { context, page } = await offline('decode_qr_code');
    await page.setViewportSize({ width: 390, height: 400 });
    await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
    await page.setInputFiles('#files', path);
    const error = page.locator('#files-error', { hasText: `${name} is not an image.` });
    await error.waitFor();
    const isInView = () =>
      error.evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      });
    await expect.poll(isInView).toBe(true);
    await context.close();
  });
});

describe('rotate_pdf', () => {
  beforeAll(() => makeSampleFiles(folder, ['report.pdf', 'cover.pdf']));

  const openWith = async (name: string) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    const requests: string[] = [];
    context.on('request', (request) => {
      const url = new URL(request.url());
      if (!/^(blob|data):/.test(url.protocol)) requests.push(`${request.method()} ${url.pathname}`);
    });
    await page.goto(`${baseUrl}/tools/rotate_pdf`);
    await page.setInputFiles('#files', join(folder, name));
    return { context, page, requests };
  };

  /** Returns the rotation of each page of the saved result. */
  async function savedRotations(page: Page): Promise<number[]> {
    await page.getByRole('button', { name: 'Create rotated PDF' }).click();
    const save = page.getByRole('link', { name: 'Save report-rotated.pdf' });
    const [download] = await Promise.all([page.waitForEvent('download'), save.click()]);
    const path = join(folder, download.suggestedFilename());
    await download.saveAs(path);
    const facts = execFileSync('pdfinfo', ['-f', '1', '-l', '12', path], { encoding: 'utf8' });
    return [...facts.matchAll(/rot: +(\d+)/g)].map(([, angle]) => Number(angle));
  }

  it('rotates pages by button, click and range, and uploads nothing', async () => {
    const { context, page, requests } = await openWith('report.pdf');
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await expect.poll(() => page.locator('.files .hint').innerText()).toMatch(/KB, 12 pages$/);
    expect(await page.locator('.files > li > canvas').count()).toBe(1);
    await button('Rotate page 1 right').click();
    await page.getByLabel('Pages', { exact: true }).fill('3-4');
    await button('Page 6').click();
    expect(await page.getByLabel('Pages', { exact: true }).inputValue()).toBe('3-4, 6');
    await button('Rotate left').click();
    await page.getByLabel('Pages', { exact: true }).fill('');
    await button('Rotate by 180°').click();
    expect(await button('Page 2, 180°').count()).toBe(1);
    const angles = [270, 180, 90, 90, 180, 90, 180, 180, 180, 180, 180, 180];
    expect(await savedRotations(page)).toEqual(angles);
    expect(await violationsOf(page, 'main')).toEqual([]);
    expect(requests.filter((request) => !/^GET \/(assets\/|tools\/|icon)/.test(request))).toEqual(
      [],
    );
    await context.close();
  });

  it('keeps the file and its rotations after a reload', async () => {
    const { context, page } = await openWith('report.pdf');
    await page.getByRole('button', { name: 'Rotate page 5 right' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Page 5, 90° right' }).waitFor();
    expect(await savedRotations(page)).toEqual(
      Array.from({ length: 12 }, (_, index) => (index === 4 ? 90 : 0)),
    );
    await context.close();
  });

  it('names the file if a reload lost it because the session storage is full', async () => {
    const { context, page } = await openWith('report.pdf');
    await page.getByRole('button', { name: 'Page 5', exact: true }).waitFor();
    await page.evaluate(() => {
      // The storage holds about 5 million characters. The form's own values still fit.
      sessionStorage.setItem('full', 'x'.repeat(5 * 2 ** 20 - 3000));
    });
    await page.reload();
    await expect
      .poll(() => page.locator('#files-error').innerText())
      .toBe('report.pdf could not be stored. Choose it again.');
    await context.close();
  });

  it('shows a field error for an encrypted file and for an invalid page range', async () => {
    const options = ['--encrypt', 'secret', 'secret', '256', '--', 'cover.pdf', 'secret.pdf'];
    execFileSync('qpdf', options, { cwd: folder });
    const { context, page } = await openWith('secret.pdf');
    await expect.poll(() => page.locator('#files-error').innerText()).toContain('needs a password');
    expect(await page.locator('#rotation').isVisible()).toBe(false);
    await page.setInputFiles('#files', join(folder, 'cover.pdf'));
    await page.getByRole('button', { name: 'Create rotated PDF' }).click();
    await expect.poll(() => page.locator('#pages-error').innerText()).toBe('Rotate a page first.');
    await page.getByLabel('Pages', { exact: true }).fill('2');
    const error = page.locator('#pages-error');
    await expect.poll(() => error.innerText()).toContain('no page 2');
    await context.close();
  });

  it('shows the error about a page above the sticky button of a phone', async () => {
    const { context, page } = await openWith('report.pdf');
    await page.setViewportSize({ width: 390, height: 844 });
    const field = page.getByLabel('Pages', { exact: true });
    await field.fill('99');
    const error = page.locator('#pages-error');
    await expect.poll(() => error.innerText()).toContain('no page 99');
    const create = page.getByRole('button', { name: 'Create rotated PDF' });
    const edge = async () => (await create.boundingBox())!.y;
    // The message is behind the button, and the field is above it.
    await field.evaluate(
      (element, below) => {
        scrollBy(0, element.getBoundingClientRect().bottom + 8 - below);
      },
      await edge(),
    );
    const end = async () => {
      const { y, height } = (await error.boundingBox())!;
      return y + height;
    };
    expect(await end()).toBeGreaterThan(await edge());
    await page.locator('[data-rotate="90"]').click();
    await expect.poll(async () => (await end()) <= (await edge())).toBe(true);
    await context.close();
  });
});
