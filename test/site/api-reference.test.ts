/** Tests /docs/api: its page for each operation of the OpenAPI document, and the requests that these pages send. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isExecutable } from '../../src/catalogue/catalogue.ts';
import { findTool } from '../../src/tools/find-tool.ts';
import { TOOLS } from '../../src/tools/registry.ts';
import { openBrowser } from '../support/chromium.ts';
import { baseUrl, body } from '../support/service.ts';

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await openBrowser();
  page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
});
afterAll(() => browser.close());

/** Opens the page of an endpoint and expands its form. */
async function open(id: string): Promise<void> {
  await page.goto(`${baseUrl}/docs/api/${id}`);
  await page.getByText('Try it', { exact: true }).click();
}

async function send(): Promise<string> {
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const status = page.locator('.answer .chip');
  await status.waitFor();
  return status.innerText();
}

const answer = () => page.locator('.answer code').first().innerText();

describe('the API reference', () => {
  it('has a page for every operation of the OpenAPI document', async () => {
    const { paths } = await body(await fetch(`${baseUrl}/api/v1/openapi.json`));
    const operations = Object.entries<Record<string, { operationId?: string }>>(paths);
    const ids = operations.flatMap(([path, methods]) => {
      const tool = findTool(path.split('/').at(-1)!);
      return Object.values(methods).flatMap(({ operationId }) =>
        operationId ? [tool?.name ?? operationId] : [],
      );
    });
    await page.goto(`${baseUrl}/docs/api`);
    const listed = await page
      .locator('main .entries a')
      .evaluateAll((links) =>
        links.map((link) => (link as HTMLAnchorElement).pathname.split('/').at(-1)),
      );
    expect(listed.sort()).toEqual(ids.sort());
    const statuses = await Promise.all(
      listed.map(async (id) => (await fetch(`${baseUrl}/docs/api/${id}`)).status),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect((await fetch(`${baseUrl}/docs/api/no_such_page`)).status).toBe(404);
  });

  it('redirects the anchors of the former single page to the current pages', async () => {
    await page.goto(`${baseUrl}/docs/api#merge_pdf`);
    await page.waitForURL('**/docs/api/merge_pdf');
    await page.goto(`${baseUrl}/docs/api#getJob`);
    await page.waitForURL('**/docs/api/getJob');
  });

  it.each([
    ['chain', 'runChain'],
    ['execute', 'executeTool'],
    ['jobs', 'getJob'],
  ])('redirects the last name of a path, %s, to its endpoint', async (name, id) => {
    const { url } = await fetch(`${baseUrl}/docs/api/${name}`);
    expect(url).toBe(`${baseUrl}/docs/api/${id}`);
  });

  it('shows the pages of the docs and the request form without scrolling', async () => {
    await page.goto(`${baseUrl}/docs/api/merge_pdf`);
    for (const text of ['Keys and accounts', 'How-to', 'Comparisons', 'Try it']) {
      const box = await page.getByText(text).first().boundingBox();
      expect(box!.y, text).toBeGreaterThan(0);
      expect(box!.y + box!.height, text).toBeLessThan(800);
    }
    const [list, current] = await Promise.all(
      ['.reference-links', '.reference-links [aria-current="page"]'].map((selector) =>
        page.locator(selector).boundingBox(),
      ),
    );
    expect(current!.y).toBeGreaterThan(list!.y);
    expect(current!.y).toBeLessThan(800);
  });

  it('cuts no entry of the list below the search field', async () => {
    for (const id of ['merge_pdf', 'decode_jwt', 'extract_text_ocr']) {
      await page.goto(`${baseUrl}/docs/api/${id}`);
      const cut = await page.locator('.reference-links').evaluate((list) => {
        const edge = list.querySelector('.field')!.getBoundingClientRect().bottom;
        return [...list.querySelectorAll('a, .group')]
          .filter((item) => {
            const { top, bottom } = item.getBoundingClientRect();
            return top < edge - 1 && bottom > edge + 1;
          })
          .map(({ textContent }) => textContent);
      });
      expect(cut, id).toEqual([]);
    }
  });

  it.each(['merge_pdf', 'compress_pdf', 'split_pdf', 'images_to_pdf', 'compress_image'])(
    'shows the captions of the results of %s beside their copy buttons',
    async (id) => {
      await page.goto(`${baseUrl}/docs/api/${id}`);
      const covered = await page.locator('.sample:visible').evaluateAll((samples) =>
        samples
          .filter((sample) => {
            const caption = document.createRange();
            caption.selectNodeContents(sample.querySelector('figcaption')!);
            const button = sample.querySelector('button')!.getBoundingClientRect();
            return caption.getBoundingClientRect().right > button.left;
          })
          .map(({ textContent }) => textContent),
      );
      expect(covered).toEqual([]);
    },
  );

  it('shows no backslash on a line of its own', async () => {
    await page.goto(`${baseUrl}/docs/api/extract_text_ocr`);
    const end = page.locator('.tabs pre:visible .line-end').first();
    expect(await end.evaluate((mark) => mark.getClientRects().length)).toBe(1);
    expect((await end.boundingBox())!.width).toBeGreaterThan(12);
  });

  it.each([
    '/docs',
    '/docs/api/compress_image',
    '/docs/api/extract_text_ocr',
    '/how-to/run-a-long-call-as-a-job',
  ])('cuts no line of code on %s', async (path) => {
    await page.goto(baseUrl + path);
    const cut = await page
      .locator('pre:visible')
      .evaluateAll(
        (blocks) =>
          blocks.filter(
            ({ parentElement: parent, scrollWidth, clientWidth }) =>
              scrollWidth > clientWidth || parent!.scrollWidth > parent!.clientWidth,
          ).length,
      );
    expect(cut).toBe(0);
  });

  it('links to the other pages of the group on a phone, which shows no list', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${baseUrl}/docs/api/compress_pdf`);
    const links = page.getByRole('navigation', { name: 'Neighboring pages' }).getByRole('link');
    expect(await links.allInnerTexts()).toContain('Merge PDFs');
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(await links.first().isVisible()).toBe(false);
  });

  it('shows an error of a tool, and one list of the fields of its result', async () => {
    await page.goto(`${baseUrl}/docs/api/compress_image`);
    expect(await page.locator('#responses ~ .sample').innerText()).toContain('bad_request');
    expect(await page.locator('h2', { hasText: 'Result' }).allInnerTexts()).toEqual([
      'Result as JSON',
    ]);
    const others = page.locator('#result-as-json ~ details');
    expect(await others.locator('summary').innerText()).toContain('Result as a link');
    expect(await others.locator('.field-list').first().isVisible()).toBe(false);
  });

  const field = () => page.getByLabel('Find an endpoint');
  const shown = () => page.locator('.reference-links li[data-words]:visible > a').allInnerTexts();

  it.each([
    ['recognised', ['Read the text of a document']],
    ['merge_pdf', ['Merge PDFs']],
    ['POST /api/v1/inputs', ['Store a file for use in later calls']],
    ['/api/v1/jobs', ['Get a job', 'Cancel a job']],
    ['delete jobs', ['Cancel a job']],
    ['429', ['Errors']],
    ['401', ['Errors']],
    ['timeout', ['Errors']],
  ])('finds "%s" in the list', async (query, titles) => {
    await page.goto(`${baseUrl}/docs/api`);
    await field().fill(query);
    expect(await shown()).toEqual(titles);
  });

  it.each(['webhook', 'Idempotency-Key'])(
    'finds for the common field %s only general endpoints',
    async (query) => {
      await page.goto(`${baseUrl}/docs/api`);
      await field().fill(query);
      const titles = await shown();
      expect(titles).toContain('Run one tool');
      expect(titles).not.toContain('Merge PDFs');
      expect(titles.length).toBeLessThan(8);
      await field().fill('');
      expect((await shown()).length).toBeGreaterThan(TOOLS.filter(isExecutable).length);
    },
  );

  it('lists entries whose names match before those whose fields match', async () => {
    await page.goto(`${baseUrl}/docs/api`);
    await field().fill('usage');
    expect((await shown())[0]).toMatch(/usage/i);
  });

  it('lists the tools of a matching group after the tools with matching names', async () => {
    await page.goto(`${baseUrl}/docs/api`);
    await field().fill('pdf');
    const titles = await shown();
    expect(titles).toContain('Extract text by OCR');
    expect(titles.indexOf('Merge PDFs')).toBeLessThan(titles.indexOf('Extract text by OCR'));
  });

  it('opens the first entry found on Enter, and the search of the site if none is found', async () => {
    await page.goto(`${baseUrl}/docs/api`);
    await field().fill('merge_pdf');
    await field().press('Enter');
    await page.waitForURL('**/docs/api/merge_pdf');
    await field().fill('no such entry');
    await field().press('Enter');
    await page.waitForURL('**/search?q=no%20such%20entry');
  });

  it('moves through the entries found on the arrow keys', async () => {
    await page.goto(`${baseUrl}/docs/api`);
    await field().fill('/api/v1/jobs');
    const focused = () => page.evaluate(() => document.activeElement!.textContent);
    for (const [key, text] of [
      ['ArrowDown', 'Get a job'],
      ['ArrowDown', 'Cancel a job'],
      ['ArrowUp', 'Get a job'],
      ['ArrowUp', ''],
    ] as const) {
      await page.keyboard.press(key);
      expect(await focused()).toBe(text);
    }
  });

  it('shows the whole focus ring of the search field', async () => {
    await page.goto(`${baseUrl}/docs/api`);
    await field().focus();
    const hidden = await field().evaluate((input) => {
      const { outlineOffset, outlineWidth } = getComputedStyle(input);
      const around = Number.parseFloat(outlineOffset) + Number.parseFloat(outlineWidth);
      const list = input.closest('.reference-links')!.getBoundingClientRect();
      return list.left - (input.getBoundingClientRect().left - around);
    });
    expect(hidden).toBeLessThanOrEqual(0);
  });

  it('marks the current page in the list', async () => {
    await page.goto(`${baseUrl}/docs/api/merge_pdf`);
    const marked = page.locator('.headings [aria-current="location"]');
    await page.locator('#responses').evaluate((heading) => heading.scrollIntoView());
    await expect.poll(() => marked.allInnerTexts()).toEqual(['Responses']);
    await page.evaluate(() => scrollTo(0, 0));
    await expect.poll(() => marked.count()).toBe(0);
  });

  it('shows one language at a time, also without scripts', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto(`${baseUrl}/docs/api/encode_url`);
    const code = plain.locator('.tabs .codeblock:visible');
    expect(await code.allInnerTexts()).toEqual([expect.stringMatching(/^curl http/)]);
    await plain.getByText('Python').click();
    expect(await code.allInnerTexts()).toEqual([expect.stringMatching(/^import requests/)]);
    await context.close();
  });

  it('sends a call with a body', async () => {
    await open('executeTool');
    expect(await send()).toMatch(/^200/);
    expect(await answer()).toContain('SGVsbG8s');
  });

  it('sends a query and a file, and shows an error response unchanged', async () => {
    await open('getContent');
    await page.getByLabel('section').selectOption('How-to');
    expect(await send()).toMatch(/^200/);
    expect(await answer()).toContain('/how-to/');

    await open('getJob');
    await page.getByLabel('id path').fill('unknown');
    expect(await send()).toMatch(/^404/);

    await open('parse_document');
    const file = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('two words') };
    await page.locator('input[type="file"]').setInputFiles(file);
    expect(await send()).toMatch(/^200/);
    expect(await answer()).toContain('two words');
  });

  const json = () => page.locator('textarea[name="body"]');
  const bodyShown = async () => JSON.parse(await json().inputValue());
  const control = (name: string) => page.locator(`[id="field-${name}"]`);
  const samples = () => page.locator('.call .tabs code').allTextContents();

  const WITH_FIELDS = ['executeTool', 'createUpload', 'search', 'runChain'];
  it.each([...TOOLS.filter(isExecutable).map(({ name }) => name), ...WITH_FIELDS])(
    'has fields that give back the example of %s unchanged',
    async (id) => {
      await open(id);
      const example = await bodyShown();
      await json().evaluate((area: HTMLTextAreaElement) => {
        area.value = '{}';
        area.dispatchEvent(new Event('input', { bubbles: true }));
        // The fields have their initial values again, and each one writes its value into the empty body.
        area.form!.reset();
        for (const field of area.form!.querySelectorAll('[data-field]'))
          field.dispatchEvent(new Event('input', { bubbles: true }));
      });
      expect(await bodyShown()).toEqual(example);
      const isValid = await json().evaluate((area: HTMLTextAreaElement) =>
        area.form!.checkValidity(),
      );
      expect(isValid).toBe(true);
    },
  );

  it('shows the entered values in the JSON and in the code, and omits emptied fields', async () => {
    await open('generate_qr_code');
    const built = await page.locator('.call .tabs').innerHTML();
    await control('text').fill(`it's`);
    await control('size').fill('');
    await control('format').selectOption('svg');
    const body = { text: `it's`, format: 'svg' };
    expect(await bodyShown()).toEqual(body);
    const [curl, typescript, python] = await samples();
    expect(curl).toContain(String.raw`-d '{"text":"it'\''s","format":"svg"}'`);
    expect(typescript).toContain(`format: "svg"`);
    expect(python).toContain(`"format": "svg"`);
    expect(await send()).toMatch(/^200/);
    expect(await answer()).toContain('data:image/svg+xml');

    await page.getByText('Edit as JSON').click();
    await json().fill('{"text":"https://example.com/hello","size":300}');
    expect(await control('size').inputValue()).toBe('300');
    expect(await control('format').inputValue()).toBe('');
    // The example's code is shown again with syntax highlighting.
    expect(await page.locator('.call .tabs').innerHTML()).toBe(built);
  });

  it('shows beside a field and beside the JSON that a text is not JSON', async () => {
    await open('split_pdf');
    const [curl] = await samples();
    await control('ranges').fill('1-3');
    expect(await page.locator('#field-ranges-error').innerText()).toMatch(/^Invalid JSON: /);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    expect(await page.locator('.answer').innerText()).toBe('');
    expect((await samples())[0]).toBe(curl);
    await control('ranges').fill('["2"]');
    expect(await page.locator('#field-ranges-error').isVisible()).toBe(false);
    expect((await samples())[0]).toContain('-F ranges=2');

    await page.getByText('Edit as JSON').click();
    await json().fill('[');
    expect(await page.locator('#send-body-error').innerText()).toMatch(/^Invalid JSON: /);
    await page.getByText('Edit as JSON').click();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect.poll(() => json().isVisible()).toBe(true);
    expect(await page.locator('.answer').innerText()).toBe('');
  });

  it('shows the names of chosen files, parameters and a placeholder for the key', async () => {
    await open('compress_image');
    const buffer = Buffer.from('not an image');
    const file = { name: 'my photo.png', mimeType: 'image/png', buffer };
    await page.locator('input[type="file"]').setInputFiles(file);
    await control('grayscale').selectOption('true');
    await page.locator('#api-key').fill('tsk_secret');
    const [curl, typescript, python] = await samples();
    expect(curl).toContain(`-F grayscale=true`);
    expect(curl).toContain(`-F 'file=@"my photo.png"'`);
    for (const code of [curl, typescript, python]) {
      expect(code).toContain('my photo.png');
      expect(code).toContain('Bearer YOUR_KEY');
      expect(code).not.toContain('tsk_secret');
    }

    await open('getJob');
    expect((await samples())[0]).toContain('/api/v1/jobs/JOB_ID');
    await page.getByLabel('id path').fill('a b');
    expect((await samples())[0]).toMatch(/\/api\/v1\/jobs\/a%20b\b/);
  });

  it('saves the file of a tool in the code only if the entered values return a file', async () => {
    await open('extract_text_ocr');
    for (const code of await samples()) expect(code).not.toContain('result.pdf');
    await control('output').selectOption('pdf');
    for (const code of await samples()) expect(code).toContain('result.pdf');
    await control('output').selectOption('words');
    for (const code of await samples()) expect(code).not.toContain('result.pdf');
  });

  it('sends the key entered by the user', async () => {
    await open('getUsage');
    await page.locator('#api-key').fill('tsk_not_a_good_one');
    expect(await send()).toMatch(/^401/);
    expect(await answer()).toContain('invalid_key');
  });
});
