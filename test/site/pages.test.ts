import { createHash } from 'node:crypto';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOOLS } from '../../src/tools/registry.ts';
import { openBrowser } from '../support/chromium.ts';
import { baseUrl } from '../support/service.ts';
import { PATHS } from './paths.ts';

const TEXT = 'Grüße, 日本 😀';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

describe('the page of hash_text', () => {
  it('shows the digest of the typed text for every algorithm, offline and without any request', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('console', (message) => {
      // The browser may request the tab's icon at any time, and this request fails offline.
      if (message.type() !== 'error' || message.location().url.endsWith('/icon.svg')) return;
      problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(String(error)));
    await page.goto(`${baseUrl}/tools/hash_text`, { waitUntil: 'networkidle' });
    await context.setOffline(true);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));

    await page.getByLabel('Text optional').fill(TEXT);
    for (const name of ['sha256', 'sha384', 'sha512', 'sha1', 'md5']) {
      const digest = createHash(name).update(TEXT).digest('hex');
      await expect.poll(() => page.locator('.output').textContent()).toContain(digest);
    }
    await page
      .getByLabel('Compare with')
      .fill(createHash('sha512').update(TEXT).digest('hex').toUpperCase());
    await page.getByText('The SHA-512 digest matches.').waitFor();
    await page.getByLabel('Text optional').fill(`${TEXT}!`);
    await page.getByText('None of the digests matches.').waitFor();
    await page.getByLabel('Compare with').fill('zzz');
    await page.getByText('What you entered is not a digest.').waitFor();
    expect(requests).toEqual([]);
    expect(problems).toEqual([]);
    await context.close();
  });

  it('stays open when a file is dropped on it', async () => {
    const page = await browser.newPage();
    await page.goto(`${baseUrl}/tools/hash_text`, { waitUntil: 'networkidle' });
    const isRefused = await page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['x'], 'x.pdf'));
      const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
      return !document.querySelector('h1')!.dispatchEvent(drop);
    });
    expect(isRefused).toBe(true);
    await page.close();
  });

  it('works by keyboard alone and fits a phone', async () => {
    const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
    await page.goto(`${baseUrl}/tools/hash_text`);
    await page.locator('#p-text').focus();
    await page.keyboard.type('abc');
    await expect
      .poll(() => page.locator('.output code').first().textContent())
      .toBe(createHash('sha256').update('abc').digest('hex'));
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(360);
    await page.close();
  });

  it('shows the whole placeholder of the key', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(`${baseUrl}/tools/hash_text`);
    const spare = await page.locator('#p-key').evaluate((input: HTMLInputElement) => {
      const { font, paddingInlineStart, paddingInlineEnd } = getComputedStyle(input);
      const pen = document.createElement('canvas').getContext('2d')!;
      pen.font = font;
      const padding = Number.parseFloat(paddingInlineStart) + Number.parseFloat(paddingInlineEnd);
      return input.clientWidth - padding - pen.measureText(input.placeholder).width;
    });
    expect(spare).toBeGreaterThan(0);
    await page.close();
  });
});

describe('the home page', () => {
  it('lists every tool under its subject, and opens the one whose name is typed', async () => {
    const page = await browser.newPage();
    await page.goto(baseUrl);
    expect(await page.locator('#tools a[href^="/tools/"]').count()).toBe(TOOLS.length);
    const kindOf = (tool: string) =>
      page.locator(`.kind:has(a[href="/tools/${tool}"])`).getAttribute('data-kind');
    expect([await kindOf('rotate_pdf'), await kindOf('extract_text_ocr')]).toEqual(['pdf', 'pdf']);
    expect(await page.locator('[href="/tools/rotate_pdf"] .chip').innerText()).toBe(
      'In your browser',
    );
    await page.locator('#search').focus();
    await page.keyboard.type('base64 decode');
    await expect.poll(() => page.locator('#found .hits a').count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/tools/decode_base64');
    await page.close();
  });

  it.each([
    ['thumbnail', 'compress_image'],
    ['shrink pictures', 'compress_image'],
    ['smaller', 'compress_image'],
    ['png to jpg', 'compress_image'],
    ['join', 'merge_pdf'],
    ['read a scan', 'extract_text_ocr'],
    ['checksums', 'hash_text'],
  ])('finds by “%s”, which is not in the tool name, %s', async (typed, wanted) => {
    const page = await browser.newPage();
    await page.goto(baseUrl);
    await page.fill('#search', typed);
    const hrefs = () =>
      page
        .locator('#found .hits a')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    await expect.poll(hrefs).toContain(`/tools/${wanted}`);
    await page.close();
  });

  it('says what no tool does, sends nothing that is typed, and searches without scripts', async () => {
    const page = await browser.newPage();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(baseUrl);
    await page.locator('#search').pressSequentially('word to pdf');
    const note = page.locator('#found .notice', {
      hasText: 'No tool here converts Office files',
    });
    const link = note.getByRole('link', { name: 'Read the comparison' });
    await link.waitFor();
    expect(requests.filter((url) => url.includes('word'))).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/search?q=word+to+pdf');
    await link.click();
    await page.getByRole('heading', { level: 1, name: /Gotenberg and Stirling PDF/ }).waitFor();
    await page.close();
    const context = await browser.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto(baseUrl);
    await plain.fill('#search', 'merge');
    await plain.keyboard.press('Enter');
    await plain.waitForURL('**/search?q=merge');
    await context.close();
  });

  it('runs a chain above the fold, shows each result, and deletes the photo', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(baseUrl);
    const run = page.getByRole('button', { name: 'Run it with a sample' });
    expect((await run.boundingBox())!.y).toBeLessThan(750);
    const uploaded = page.waitForResponse('**/chains/inputs');
    const deleted = page.waitForResponse((response) => response.request().method() === 'DELETE');
    await run.click();
    const { url } = await (await uploaded).json();
    await page.getByText('Your photo after each step').waitFor();
    expect(await page.locator('#try-problem').isVisible()).toBe(false);
    expect(await page.locator('#try [data-facts]').allInnerTexts()).toEqual([
      expect.stringMatching(/^1,?200 × 800 px, .* → .* Save$/),
      expect.stringMatching(/^1 page, /),
      'Scan it to open the PDF. Save',
    ]);
    const code = page.getByRole('img', { name: 'The QR code' });
    expect((await code.boundingBox())!.width).toBeGreaterThanOrEqual(160);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Save qr-code.png' }).click();
    expect((await download).suggestedFilename()).toBe('qr-code.png');
    expect((await deleted).status()).toBe(204);
    expect((await fetch(url)).status).toBe(404);
    // For an image of 5 MB or more, the service returns a link to the result instead of the image itself.
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
    const create = { width: 2700, height: 1800, channels: 3, background: 'gray', noise } as const;
    const buffer = await sharp({ create }).jpeg({ quality: 100 }).toBuffer();
    expect(buffer.length).toBeGreaterThan(5 * 2 ** 20);
    await page.setInputFiles('#try-file', { name: 'large.jpg', mimeType: 'image/jpeg', buffer });
    const facts = page.locator('#try [data-facts]').first();
    await expect.poll(() => facts.innerText()).toMatch(/^1,?200 × 800 px, [\d.]+ MB → /);
    await page.setInputFiles('#try-file', {
      name: 'notes.docx',
      mimeType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      buffer: Buffer.from('notes'),
    });
    await page.getByText('notes.docx is not an image.').waitFor();
    await page.close();
  });

  it('lists the most used tools, and what the tools replace', async () => {
    const page = await browser.newPage();
    await page.goto(baseUrl);
    expect(await page.locator('.most a').count()).toBe(8);
    expect(await page.locator('#replaces tbody tr').count()).toBeGreaterThan(5);
    await page.close();
  });

  it('describes how to connect an agent to this service', async () => {
    const page = await browser.newPage();
    await page.goto(baseUrl);
    expect(await page.locator('#agent code').textContent()).toContain(`${baseUrl}/api/agent/mcp`);
    await page.close();
  });
});

describe('the color theme', () => {
  it('follows the system until the user chooses one, and is remembered', async () => {
    const context = await browser.newContext({ colorScheme: 'light' });
    const page = await context.newPage();
    const paper = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    await page.goto(baseUrl);
    const light = await paper();
    await page.getByRole('button', { name: /Switch to dark/ }).click();
    const dark = await paper();
    expect(dark).not.toBe(light);
    await page.goto(`${baseUrl}/docs`);
    expect(await paper()).toBe(dark);
    await context.close();
  });

  it.each(['light', 'dark'] as const)(
    'changes with the first press if the system is %s, and returns to the system, also without scripts',
    async (colorScheme) => {
      for (const javaScriptEnabled of [true, false]) {
        const context = await browser.newContext({ colorScheme, javaScriptEnabled });
        const page = await context.newPage();
        await page.goto(baseUrl);
        const other = colorScheme === 'light' ? 'dark' : 'light';
        const scheme = () => page.locator('html').getAttribute('data-theme');
        for (const theme of [other, colorScheme, null]) {
          const next = theme ?? 'system';
          await page.getByRole('button', { name: `Switch to ${next}` }).click();
          await expect.poll(scheme).toBe(theme);
        }
        await context.close();
      }
    },
  );

  it('is kept when the user navigates back', async () => {
    const context = await browser.newContext({ colorScheme: 'light' });
    const page = await context.newPage();
    await page.goto(`${baseUrl}/docs/mcp`);
    await page.goto(`${baseUrl}/docs/files`);
    await page.getByRole('button', { name: /Switch to dark/ }).click();
    await page.goBack();
    await page.getByRole('button', { name: /Switch to light/ }).waitFor();
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
    await context.close();
  });

  it('switches without scripts', async () => {
    const response = await fetch(`${baseUrl}/theme`, {
      method: 'POST',
      body: new URLSearchParams({ theme: 'dark', to: '/docs' }),
      redirect: 'manual',
    });
    expect(response.status).toBe(303);
    expect(response.headers.get('Location')).toBe('/docs');
    expect(response.headers.get('Set-Cookie')).toContain('theme=dark');
    const foreign = await fetch(`${baseUrl}/theme`, {
      method: 'POST',
      body: new URLSearchParams({ theme: 'dark', to: '//evil.example' }),
      redirect: 'manual',
    });
    expect(foreign.headers.get('Location')).toBe('/');
  });

  it('switches without scripts on a page of search results, and keeps the query', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const url = `${baseUrl}/search?q=merge+%C3%A4+%26+%22x%22`;
    await page.goto(url);
    await page.getByRole('button', { name: /Switch to dark/ }).click();
    await page.getByRole('button', { name: /Switch to light/ }).waitFor();
    expect(page.url()).toBe(url);
    await context.close();
  });
});

it('the blog names its feed in the page head', async () => {
  const html = await (await fetch(`${baseUrl}/blog`)).text();
  const [href] = /(?<=<link rel="alternate" href=")[^"]+/.exec(html) ?? [];
  const feed = await fetch(new URL(href ?? '', baseUrl));
  expect(feed.headers.get('Content-Type')).toContain('application/atom+xml');
});

describe('an unknown page', () => {
  it('offers help to a person and returns JSON to a program', async () => {
    const url = `${baseUrl}/tools/merge_pdfs`;
    const page = await fetch(url, { headers: { Accept: 'text/html' } });
    expect(page.status).toBe(404);
    expect(await page.text()).toContain('/tools/merge_pdf"');
    const json = await fetch(url);
    expect(json.status).toBe(404);
    expect(await json.json()).toMatchObject({ code: 'not_found' });
  });

  it('suggests first the tool with the name closest to the path', async () => {
    const page = await fetch(`${baseUrl}/tools/merge-pdf`, { headers: { Accept: 'text/html' } });
    const [, near] = (await page.text()).split('Did you mean');
    expect(/\/tools\/\w+/.exec(near ?? '')?.[0]).toBe('/tools/merge_pdf');
  });

  it('suggests no tool that shares only one of several words with the path', async () => {
    const page = await fetch(`${baseUrl}/there-is-no-such-page`, {
      headers: { Accept: 'text/html' },
    });
    expect(await page.text()).not.toContain('Did you mean');
  });

  it.each([
    ['/docs/', '/docs'],
    ['/tools/merge_pdf/?a=b', '/tools/merge_pdf?a=b'],
    ['//evil.example/', '/evil.example'],
    ['/%5Cevil.example//', '/%5Cevil.example'],
  ])('redirects from %s to %s on this host', async (path, wanted) => {
    const headers = { Accept: 'text/html' };
    const answer = await fetch(`${baseUrl}${path}`, { headers, redirect: 'manual' });
    expect([answer.status, answer.headers.get('Location')]).toEqual([301, wanted]);
  });
});

it.each([
  ['/tools/encode_base64#about', 'Copy: the call in curl', '/api/v1/tools/execute'],
  ['/docs/api/encode_base64', 'Copy: the call in curl', '/api/v1/tools/encode_base64'],
  ['/chains?template=link-to-code', 'Copy: the link to this chain', '/chains?recipe='],
])('copies on %s the text beside the button "%s"', async (path, name, wanted) => {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  await page.goto(`${baseUrl}${path}`);
  await page.getByRole('button', { name }).click();
  await page.getByText('Copied').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(wanted);
  await context.close();
});

it('a document has copy buttons for commands and configurations, and none for outputs', async () => {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  await page.goto(`${baseUrl}/docs/mcp`);
  await page.getByRole('button', { name: 'Copy: claude mcp add' }).click();
  await page.getByText('Copied').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `claude mcp add --transport http tools ${baseUrl}/api/agent/mcp`,
  );
  // Each button has a distinct accessible name, and copies the configuration in its client's format.
  const names = await page
    .locator('.prose [data-copy]')
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')));
  expect(new Set(names).size).toBe(names.length);
  const whole = (await page.locator('.prose pre').allTextContents()).filter((text) =>
    text.startsWith('{'),
  );
  expect(whole.length).toBeGreaterThan(4);
  for (const text of whole)
    expect(JSON.stringify(JSON.parse(text))).toContain(`${baseUrl}/api/agent/mcp`);
  await page.goto(`${baseUrl}/how-to/search-the-documents-of-the-service`);
  const blocks = await page.locator('.prose pre').count();
  const copied = await page.locator('.prose [data-copy]').count();
  expect(copied).toBeGreaterThan(0);
  expect(blocks).toBeGreaterThan(copied);
  await context.close();
});

it.each([
  'gotenberg-and-stirling-pdf',
  'merging-pdfs-with-qpdf-pdfunite-and-pdf-lib',
  'reading-scans-with-tesseract',
])('every column of the comparison %s fits on a phone', async (name) => {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  await page.goto(`${baseUrl}/compare/${name}`);
  const ends = await page
    .locator('.wide tr > :last-child')
    .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().right));
  expect(ends.length).toBeGreaterThan(0);
  expect(Math.max(...ends)).toBeLessThan(390);
  await page.close();
});

describe('a how-to', () => {
  const path = '/how-to/merge-pdfs-into-one-document';

  it('shows the result, and its headings have links', async () => {
    const page = await browser.newPage();
    await page.goto(baseUrl + path);
    const image = page.locator('.result-image img');
    const width = await image.evaluate(async (element: HTMLImageElement) => {
      await element.decode();
      return element.naturalWidth;
    });
    expect(width).toBe(792);
    await page.getByLabel('On this page').getByRole('link', { name: 'From a script' }).click();
    expect(new URL(page.url()).hash).toBe('#from-a-script');
    await page.close();
  });

  it.each([path, '/docs/chains'])(
    '%s prints black on white, with whole lines of code and no controls',
    async (printed) => {
      const page = await browser.newPage({ colorScheme: 'dark' });
      await page.goto(baseUrl + printed);
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      const { background, ink, cut } = await page.evaluate(() => ({
        background: getComputedStyle(document.documentElement).backgroundColor,
        ink: getComputedStyle(document.querySelector('.prose p')!).color,
        cut: [...document.querySelectorAll('pre')].filter(
          (element) => element.scrollWidth > element.clientWidth + 1,
        ).length,
      }));
      expect([background, ink, cut]).toEqual(['rgb(255, 255, 255)', 'rgb(0, 0, 0)', 0]);
      for (const selector of ['header', 'footer', 'nav[aria-label]', '[data-copy]'])
        expect(await page.locator(selector).first().isVisible(), selector).toBe(false);
      await page.close();
    },
  );
});

describe('every document', () => {
  it('has a page with its title and without placeholders', async () => {
    const { documents } = (await (await fetch(`${baseUrl}/api/v1/content`)).json()) as {
      documents: { path: string; section: string; title: string }[];
    };
    expect(documents.length).toBeGreaterThan(2 * TOOLS.length);
    for (const { path, section, title } of documents) {
      const response = await fetch(baseUrl + path, { headers: { Accept: 'text/html' } });
      expect([path, response.status]).toEqual([path, 200]);
      const html = await response.text();
      expect(html).not.toMatch(/\{(base|storage)_url\}/);
      if (!section.startsWith('Tool')) expect(html).toContain(title.split(/["'&]/)[0]);
    }
  });
});

describe('/robots.txt', () => {
  it('names the sitemap, which lists every page of the navigation', async () => {
    const robots = await (await fetch(`${baseUrl}/robots.txt`)).text();
    const address = /^Sitemap: (.+)$/m.exec(robots)![1]!;
    const map = await (await fetch(address)).text();
    for (const path of PATHS.filter((known) => !/\?|^\/(search|status)|no.such/.test(known)))
      expect(map).toContain(`<loc>${baseUrl}${path}</loc>`);
    const locations = [...map.matchAll(/<loc>([^<]+)</g)].map(([, loc]) => loc!);
    expect(new Set(locations).size).toBe(locations.length);
  });
});

it('/docs starts with a way to the tools and the how-tos for visitors who write no code', async () => {
  const page = await browser.newPage();
  await page.goto(`${baseUrl}/docs`);
  const links = page.locator('div:has(> h1) + .notice a');
  const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  expect(hrefs).toEqual(['/#tools', '/how-to']);
  await page.goto(`${baseUrl}/docs/files`);
  expect(await page.locator('main .notice').count()).toBe(0);
  await page.close();
});

describe('/status', () => {
  it('shows the state of each part, its last 24 hours and its last 90 days, also on a phone', async () => {
    const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
    // The first health check runs when the service starts. A later one may fail on a busy machine.
    await expect
      .poll(async () => {
        await page.goto(`${baseUrl}/status`);
        return page.locator('.parts > li', { hasText: 'PDF, image, video' }).textContent();
      })
      .toMatch(
        /Works.*[12] of 24 hours measured: (?:no problem|down in \d+ hours?).*[12] of 90 days measured: \d+ of \d+ checks? passed/,
      );
    expect(await page.locator('main').innerText()).toMatch(
      /Measured every 5 minutes since \d+ \w+ \d{4}\. Gray bars have no measurements\./,
    );
    const bars = (index: number) =>
      page
        .locator('svg.bars')
        .nth(index)
        .locator('path')
        .evaluateAll((paths) =>
          paths.reduce((sum, path) => sum + path.getAttribute('d')!.split('M').length - 1, 0),
        );
    expect([await bars(0), await bars(1)]).toEqual([24, 90]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await page.close();
  });
  it('is available as JSON', async () => {
    const read = async () => (await fetch(`${baseUrl}/health?deep=1`)).json();
    await expect.poll(read).toMatchObject({ status: expect.stringMatching(/^(ok|degraded)$/) });
    const { checkedAt, parts } = await read();
    expect(Date.parse(checkedAt)).toBeGreaterThan(0);
    expect(parts).toContainEqual(expect.objectContaining({ name: 'files', state: 'ok' }));
  });
});
