/** Tests the site's search, both in the dialog and on the search page. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../support/chromium.ts';
import { baseUrl } from '../support/service.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/**
 * The position of a group in the results. The tools come first, then the endpoints, the pages about tools, and the
 * articles.
 */
const rankOf = (group: string) =>
  ['Tool', 'Tools', 'API reference', 'About the tools', group].indexOf(group);

describe('the search dialog', () => {
  it('opens with / and is usable by keyboard alone', async () => {
    const page = await browser.newPage();
    await page.goto(`${baseUrl}/docs`);
    await page.keyboard.press('/');
    await page.locator('dialog input').waitFor();
    await page.keyboard.type('merge two PDFs');
    const hits = page.locator('dialog .hits a');
    await hits.first().waitFor();
    const status = page.locator('dialog [role="status"]');
    await expect.poll(() => status.textContent()).toMatch(/^\d+ results?\.$/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    const wanted = await hits.first().getAttribute('href');
    expect(wanted).toContain('merge_pdf');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${baseUrl}${wanted}`);
    await page.close();
  });

  it('keeps the focus when results change that a key has reached', async () => {
    const page = await browser.newPage();
    await page.goto(`${baseUrl}/docs`);
    await page.keyboard.press('/');
    await page.keyboard.type('merge two PDF');
    const input = page.locator('dialog input');
    const hits = page.locator('dialog .hits a');
    await hits.first().waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('href'));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await expect.poll(focused).toBe('/tools/merge_pdf');
    // The results of a query that was typed before the arrow key.
    const change = (query: string) =>
      input.evaluate((field: HTMLInputElement, value) => {
        field.value = value;
        field.dispatchEvent(new Event('input'));
      }, query);
    await change('merge two PDFs');
    await expect.poll(() => page.locator('dialog .every-text').textContent()).toContain('two PDFs');
    expect(await focused()).toBe('/tools/merge_pdf');
    await change('rotate a page');
    await expect.poll(() => page.locator('dialog .every-text').textContent()).toContain('rotate');
    expect(await input.evaluate((field) => field === document.activeElement)).toBe(true);
    await page.close();
  });

  it.each([
    ['the first result', 'cancel a job', '/docs/api/deleteJob'],
    [
      'the search of all texts, if no title matches',
      'recovery codes',
      '/search?q=recovery%20codes',
    ],
    ['the search of all texts, if no tool does it', 'translate', '/search?q=translate'],
  ])('opens with Enter %s', async (_, query, href) => {
    const page = await browser.newPage();
    await page.goto(`${baseUrl}/docs`);
    await page.keyboard.press('/');
    await page.keyboard.type(query);
    await page.keyboard.press('Enter');
    await page.waitForURL(baseUrl + href);
    await page.close();
  });

  it('shows the hint again when the field is emptied', async () => {
    const page = await browser.newPage();
    await page.goto(`${baseUrl}/docs`);
    await page.keyboard.press('/');
    await page.locator('dialog input').fill('merge');
    await page.locator('dialog .hits a').first().waitFor();
    await page.locator('dialog input').fill('');
    await page.locator('dialog').getByText('Results appear as you type').waitFor();
    expect(await page.locator('dialog .hits a').count()).toBe(0);
    await page.close();
  });

  it('leads to the search of all texts below the names, by arrow keys too', async () => {
    const page = await browser.newPage();
    await page.goto(`${baseUrl}/docs`);
    await page.keyboard.press('/');
    await page.keyboard.type('heictojpg');
    await page.locator('dialog .hits a[href="/tools/compress_image"]').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${baseUrl}/search?q=heictojpg`);
    expect(await page.locator('main .hits a').first().getAttribute('href')).toContain(
      '/tools/compress_image',
    );
    await page.close();
  });

  it('searches while the user types, lists tools before articles, and sends only the latest words', async () => {
    const page = await browser.newPage();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await page.goto(`${baseUrl}/docs`);
    await page.keyboard.press('/');
    await page.locator('dialog input').waitFor();
    await page.keyboard.type('merge');
    const hits = page.locator('dialog .hits a');
    await hits.first().waitFor();
    expect(await hits.first().getAttribute('href')).toBe('/tools/merge_pdf');
    expect(await page.locator('dialog .group').first().innerText()).toBe('Tool');
    expect(requests.filter((path) => path.startsWith('/search'))).toEqual(['/search-index.json']);
    await page.close();
  });

  it.each([
    ['how-tos', 'qr co', '/how-to/make-a-qr-code-for-print', '/tools/generate_qr_code'],
    ['pages of the docs', 'chai', '/docs/chains', undefined],
    ['articles', 'guarded fet', '/blog/why-guarded-fetching-is-hard', undefined],
  ])('finds %s by prefixes of their words, after the tool', async (_, query, path, tool) => {
    const page = await browser.newPage();
    await page.goto(`${baseUrl}/docs`);
    await page.keyboard.press('/');
    await page.locator('dialog input').fill(query);
    const hits = page.locator('dialog .hits a');
    const hrefs = () => hits.evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    await expect.poll(hrefs).toContain(path);
    if (tool) expect((await hrefs())[0]).toBe(tool);
    await page.close();
  });

  it('contains the text typed while its script loads', async () => {
    const page = await browser.newPage();
    const script = Promise.withResolvers<void>();
    await page.route('**/search-*.js', async (route) => {
      await script.promise;
      await route.continue();
    });
    await page.goto(`${baseUrl}/docs`);
    await page.keyboard.press('/');
    await page.keyboard.type('merge');
    script.resolve();
    await page.locator('dialog input').waitFor();
    await page.keyboard.type(' two');
    expect(await page.inputValue('dialog input')).toBe('merge two');
    await page.close();
  });

  it('opens from the header, closes with Escape, and ignores / in text fields', async () => {
    const page = await browser.newPage();
    await page.goto(`${baseUrl}/tools/encode_base64`);
    await page.locator('#p-text').press('/');
    expect(await page.inputValue('#p-text')).toBe('/');
    expect(await page.locator('dialog').count()).toBe(0);
    await page.getByRole('link', { name: 'Search everything' }).click();
    await page.locator('dialog input').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('dialog').isVisible()).toBe(false);
    await page.close();
  });

  it('contains the text typed on the home page, with its results', async () => {
    const page = await browser.newPage();
    await page.goto(baseUrl);
    await page.fill('#search', 'merge two PDFs');
    await page.locator('header .search-link').click();
    await page.locator('dialog .hits a[href*="merge_pdf"]').first().waitFor();
    expect(await page.inputValue('dialog input')).toBe('merge two PDFs');
    await page.close();
  });

  it('continues the query when the visitor types at a result, and closes with one Escape', async () => {
    const page = await browser.newPage();
    await page.goto(baseUrl);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('mer');
    await page.locator('dialog .hits a').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.type('ge');
    expect(await page.inputValue('dialog input')).toBe('merge');
    await page.keyboard.press('Escape');
    expect(await page.locator('dialog').isVisible()).toBe(false);
    await page.close();
  });

  it.each([
    ['how do I authenticate', '/docs/accounts'],
    ['api key', '/docs/accounts'],
    ['POST /api/v1/inputs', '/docs/api/createInput'],
    ['GET /api/v1/usage', '/docs/api/getUsage'],
    ['endpoints', '/docs/api'],
    ['curl example', '/docs'],
    ['quota_exceeded', '/docs/errors#quota_exceeded'],
    ['createInput', '/docs/api/createInput'],
    ['merge_pdf', '/docs/api/merge_pdf'],
    ['lost passkey', '/docs/accounts#when-a-passkey-is-lost'],
    ['Idempotency-Key', '/how-to/repeat-a-call-safely'],
    ['webhook', '/how-to/run-a-long-call-as-a-job'],
    ['429', '/docs/errors'],
    ['mcp', '/docs/mcp'],
    ['qrcode', '/tools/generate_qr_code'],
    ['max file size', '/docs/files'],
    ['price', '/docs#limits'],
  ])('lists for %j, in the dialog and on the page, %s', async (query, href) => {
    const page = await browser.newPage();
    await page.goto(`${baseUrl}/docs/api`);
    await page.keyboard.press('Control+k');
    await page.locator('#search-q').fill(query);
    await page.locator(`.search-dialog .hits a[href="${href}"]`).first().waitFor();
    await page.goto(`${baseUrl}/search?q=${encodeURIComponent(query)}`);
    expect(await page.locator(`main .hits a[href="${href}"]`).count()).toBeGreaterThan(0);
    await page.close();
  });

  it('lists names on the search page while the visitor types, and Enter searches the texts', async () => {
    const page = await browser.newPage();
    await page.goto(`${baseUrl}/search`);
    await page.fill('#q', 'merge');
    await page.locator('#found .hits a[href="/tools/merge_pdf"]').waitFor();
    expect(await page.locator('#most-used').count()).toBe(0);
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe(
      '/tools/merge_pdf',
    );
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${baseUrl}/search?q=merge`);
    await page.close();
  });

  it('is a page without scripts that groups its results and links to the section', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${baseUrl}/search`);
    await page.fill('#q', 'Prefer: respond-async');
    await page.getByRole('button', { name: 'Search' }).click();
    const groups = await page.locator('#found h2').allInnerTexts();
    expect(groups).toContain('Docs');
    expect(groups.length).toBeGreaterThan(1);
    const hrefs = await page
      .locator('.hits a')
      .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
    expect(hrefs).toContain(`${baseUrl}/docs/chains#jobs`);
    for (const href of new Set(hrefs)) {
      const [, id] = href.split('#');
      const html = await (await fetch(href)).text();
      if (id) expect(html, href).toContain(`id="${decodeURIComponent(id)}"`);
    }
    await context.close();
  });

  it('marks the words of the query in other forms as well', async () => {
    const html = await (await fetch(`${baseUrl}/search?q=deleting+accounts`)).text();
    expect(html).toMatch(/<mark>deletes<\/mark> the <mark>account<\/mark>/);
    expect(html).not.toMatch(/<mark>(the|at|and)<\/mark>/);
  });

  it('shows plain text of a passage, without markup', async () => {
    for (const query of ['delete my account', 'images to pdf better tool', 'error codes']) {
      const url = `${baseUrl}/search?q=${encodeURIComponent(query)}`;
      const html = await (await fetch(url)).text();
      const shown = html.slice(html.indexOf('id="found"')).replace(/<\/?mark>/g, '');
      expect(shown, query).toContain('</li>');
      expect(shown, query).not.toMatch(/---|>\s*[-*|·] |\| /);
    }
  });

  it.each(['word to pdf', 'convert office', 'scan to text', 'curl upload file', 'set up an agent'])(
    'shows for “%s” each group and each page once, tools first, and no code',
    async (query) => {
      const page = await browser.newPage();
      await page.goto(`${baseUrl}/search?q=${encodeURIComponent(query)}`);
      const groups = await page.locator('#found h2').allInnerTexts();
      const sorted = groups.toSorted((one, other) => rankOf(one) - rankOf(other));
      expect(groups).toEqual([...new Set(sorted)]);
      const hits = page.locator('#found .hits a');
      const pages = await hits.evaluateAll((links: HTMLAnchorElement[]) =>
        links.map(({ pathname }) => pathname),
      );
      expect(pages).toEqual([...new Set(pages)]);
      const texts = await hits.locator('.text').allInnerTexts();
      expect(texts).not.toContain('');
      expect(texts.join('\n')).not.toMatch(/curl -|[{}|]/);
      await page.close();
    },
  );

  it.each([
    ['set up VS Code', '/docs/mcp#vs-code'],
    ['Claude Code MCP configuration', '/docs/mcp#claude-code'],
    ['how long does a stored link live', '/docs/files'],
    ['add the server to Claude Desktop', '/docs/mcp#claude-desktop'],
    ['lost passkey', '/docs/accounts#when-a-passkey-is-lost'],
    ['recovery codes', '/docs/accounts#when-a-passkey-is-lost'],
    ['delete my account', '/docs/accounts#delete-the-account'],
  ])('finds by “%s” the section %s of the docs', async (query, wanted) => {
    const html = await (await fetch(`${baseUrl}/search?q=${encodeURIComponent(query)}`)).text();
    expect(html).toContain(`href="${wanted}`);
  });

  it('leads from “delete account” to the section of the docs', async () => {
    const html = await (await fetch(`${baseUrl}/search?q=delete+account`)).text();
    const [, first] = /href="([^"]+)"/.exec(html.slice(html.indexOf('id="found"')))!;
    expect(first).toBe('/docs/accounts#delete-the-account');
  });

  it('shares the docs with the API search, and /api/v1/content lists its five sections', async () => {
    const answer = await fetch(`${baseUrl}/api/v1/search`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: 'Claude Code MCP configuration' }),
    });
    const { passages } = (await answer.json()) as { passages: { path: string; section: string }[] };
    expect(passages.map(({ path, section }) => [path, section])).toContainEqual([
      '/docs/mcp',
      'Docs',
    ]);
    const { documents } = (await (await fetch(`${baseUrl}/api/v1/content`)).json()) as {
      documents: { section: string }[];
    };
    expect(new Set(documents.map(({ section }) => section)).size).toBe(5);
    for (const { path } of passages) {
      const read = await fetch(`${baseUrl}/api/v1/content?path=${path}`);
      expect([path, read.status, (await read.json()).path]).toEqual([path, 200, path]);
    }
    expect(await (await fetch(`${baseUrl}/llms.txt`)).text()).toContain(`${baseUrl}/docs/mcp)`);
    expect(await (await fetch(`${baseUrl}/llms-full.txt`)).text()).toContain(
      '\n# Connect an agent\n',
    );
    expect((await fetch(`${baseUrl}/api/v1/content?section=Docs`)).status).toBe(400);
  });

  it.each([
    ['remove background', 'No tool here removes the background'],
    ['watermrk', 'No tool here edits PDF pages'],
    ['sign pdf', 'No tool here signs PDFs'],
    ['pdf password', 'No tool here sets or removes PDF passwords'],
    ['unlock', 'No tool here sets or removes PDF passwords'],
    ['xml', 'No tool here formats or converts XML'],
  ])('says for “%s” that no tool does it, and lists no other tools', async (query, note) => {
    const html = await (await fetch(`${baseUrl}/search?q=${encodeURIComponent(query)}`)).text();
    const found = html.slice(html.indexOf('id="found"'), html.indexOf('</main>'));
    expect(found).toContain(note);
    expect(found).not.toContain('href="/tools/');
    expect(found).not.toContain('Nothing was found');
  });

  it.each(['price', 'pricing', 'is it free', 'cost'])(
    'answers “%s” with what is free, not with tools',
    async (query) => {
      const html = await (await fetch(`${baseUrl}/search?q=${encodeURIComponent(query)}`)).text();
      const found = html
        .slice(html.indexOf('id="found"'), html.indexOf('</main>'))
        .replace(/<\/?mark>/g, '');
      expect(/href="([^"]+)"/.exec(found)?.[1]).toBe('/docs#limits');
      expect(found).toContain('Every tool is free to use');
      expect(found).not.toContain('href="/tools/');
      expect(await (await fetch(`${baseUrl}/docs`)).text()).toContain('All tools are free to use');
    },
  );

  it('lists beside a page about the service the texts about a tool that the query names', async () => {
    const html = await (await fetch(`${baseUrl}/search?q=max+file+size+merge+pdf`)).text();
    expect(html).toContain('href="/docs/files');
    expect(html).toContain('href="/tools/merge_pdf#');
    const keys = await (await fetch(`${baseUrl}/search?q=api+key`)).text();
    expect(keys).toContain('href="/developers"');
    expect(keys).not.toContain('href="/tools/');
  });

  it('says above texts about other topics that no tool matches', async () => {
    const html = await (await fetch(`${baseUrl}/search?q=lost+passkey`)).text();
    expect(html).toContain('No tool matches <strong>lost passkey</strong>');
    expect(html).not.toContain('/compare/compressing-pdfs-with-ghostscript');
  });

  it('says so where there is nothing, or too much was asked', async () => {
    const none = await fetch(`${baseUrl}/search?q=xyzzyplugh`);
    expect(await none.text()).toContain('Nothing was found');
    const long = await fetch(`${baseUrl}/search?q=${'a'.repeat(501)}`);
    expect(long.status).toBe(400);
    expect(await long.text()).toContain('more than 500 characters');
  });
});
