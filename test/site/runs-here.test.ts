/**
 * Tests the tools that need no server. They run in the browser while the visitor types, work offline, and send no input
 * to the service.
 */
import { createHash, createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { TOOLS } from '../../src/tools/registry.ts';
import { openBrowser } from '../support/chromium.ts';
import { baseUrl } from '../support/service.ts';
import { fill, openTool, PATIENCE, seeResult, VIEWPORT } from './tool-page.ts';

const HERE = TOOLS.filter(
  ({ name, run, needs, files }) =>
    (run && needs.length === 0 && !files) || existsSync(`src/tools/${name}/in-browser.ts`),
).map(({ name }) => name);

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

interface Offline {
  context: BrowserContext;
  page: Page;
  requests: string[];
}

/** Loads the page of a tool, disconnects the network, and then records all requests of the page. */
async function offline(tool: string): Promise<Offline> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  const page = await context.newPage();
  await openTool(page, tool);
  await context.setOffline(true);
  const requests: string[] = [];
  // The context also reports the requests of workers.
  context.on('request', (request) => {
    if (!/^(blob|data):/.test(request.url())) requests.push(request.url());
  });
  return { context, page, requests };
}

const NO_FILES = { at: (name: string) => name, remove: () => {} };

it('the in-browser tools include decode_jwt, compare_text and generate_qr_code, and exclude merge_pdf', () => {
  expect(HERE).toEqual(expect.arrayContaining(['decode_jwt', 'compare_text', 'generate_qr_code']));
  expect(HERE).not.toContain('merge_pdf');
});

describe('offline, while the user types, the page of', () => {
  it.concurrent.each(HERE)('%s shows its result without a request', async (name) => {
    const { context, page, requests } = await offline(name);
    await fill(page, name, NO_FILES);
    await seeResult(page, name);
    expect(await page.locator('.tool-head .chip').innerText()).toBe('In your browser');
    expect(requests).toEqual([]);
    await context.close();
  });
});

it('these tests detect a request made by a worker', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const requests: string[] = [];
  context.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await openTool(page, 'decode_jwt');
  expect(requests.filter((path) => path.startsWith('/assets/decode_jwt-'))).toHaveLength(1);
  await context.close();
});

it('a key verifies a token in the page, and is not in the code examples', async () => {
  const { context, page, requests } = await offline('decode_jwt');
  const secret = 'a secret of the issuer that is long enough';
  const signed = `${btoa('{"alg":"HS256"}')}.${btoa('{"id":12345678901234567890}')}`.replaceAll(
    '=',
    '',
  );
  const signature = createHmac('sha256', secret).update(signed).digest('base64url');
  await page.fill('#p-token', `${signed}.${signature}`);
  await page.fill('#p-key', secret);
  await page.locator('#result .chip', { hasText: 'Signature valid' }).waitFor();
  // The number is shown as it is written in the token.
  expect(await page.locator('#result').innerText()).toContain('12345678901234567890');
  const calls = page.locator('#calls');
  await expect.poll(() => calls.textContent(), PATIENCE).toContain(signature);
  expect(await calls.textContent()).not.toContain(secret);
  await page.fill('#p-key', 'another secret');
  await page.locator('#result .chip', { hasText: 'Signature invalid' }).waitFor();
  await page.locator('#result .notice.bad', { hasText: 'does not match' }).waitFor();
  expect(requests).toEqual([]);
  await context.close();
});

it('a color picker and its text field show the same color', async () => {
  const { context, page } = await offline('convert_color');
  const picker = page.getByLabel('Pick: Color');
  await page.fill('#p-color', 'teal');
  expect(await picker.inputValue()).toBe('#008080');
  await picker.fill('#ff0000');
  expect(await page.inputValue('#p-color')).toBe('#ff0000');
  await page.locator('#result', { hasText: 'rgb(255, 0, 0)' }).waitFor();
  await context.close();
});

it('a token submitted with Ctrl+Enter before the scripts load is not sent', async () => {
  const page = await browser.newPage();
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.method()));
  await page.route('**/*.js', (route) => route.abort());
  await page.goto(`${baseUrl}/tools/decode_jwt`);
  await page.fill('#p-token', 'a.b.c');
  expect(await page.locator('#tool-form button:visible').isDisabled()).toBe(true);
  await page.locator('#p-token').press('Control+Enter');
  expect(sent.filter((method) => method !== 'GET')).toEqual([]);
  await page.close();
});

it.each(['tool-worker', 'decode_jwt'])(
  'the script %s is requested again after it fails once',
  async (name) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    let requests = 0;
    await context.route(`**/assets/${name}-*.js`, (route) => {
      requests += 1;
      return requests === 1 ? route.fulfill({ status: 503 }) : route.continue();
    });
    await openTool(page, 'decode_jwt');
    expect(requests).toBe(2);
    expect(await page.locator('#form-error').isVisible()).toBe(false);
    await context.close();
  },
);

it('a field error appears while the user types, and the field keeps the focus', async () => {
  const { context, page } = await offline('decode_base64');
  await page.locator('#p-encoded').pressSequentially('SGVsbG8*');
  const error = page.locator('#p-encoded-error');
  await vi.waitFor(async () => expect(await error.innerText()).toContain('"*"'), PATIENCE);
  await page.keyboard.press('Backspace');
  await vi.waitFor(
    async () => expect(await page.locator('.output').innerText()).toContain('Hello'),
    PATIENCE,
  );
  expect(await error.isVisible()).toBe(false);
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('p-encoded');
  await page.fill('#p-encoded', '');
  await page.getByText('The result appears here.').waitFor();
  await context.close();
});

it('format_json takes more values than a call of the service', async () => {
  const { context, page } = await offline('format_json');
  await page.locator('#p-json').evaluate((field) => {
    (field as HTMLTextAreaElement).value = JSON.stringify(Array(250_000).fill(1));
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await page.locator('#result[data-state="done"]').waitFor();
  expect(await page.locator('#p-json-error').isVisible()).toBe(false);
  await context.close();
});

it('a number out of range gets an error while the user types', async () => {
  const { context, page } = await offline('generate_qr_code');
  await page.fill('#p-text', 'hello');
  await page.locator('.output img').waitFor();
  await page.evaluate(() => {
    for (const fold of document.querySelectorAll('details')) fold.open = true;
  });
  await page.fill('#p-size', '9000');
  await page.locator('#p-size-error:not([hidden])').waitFor();
  await page.fill('#p-size', '200');
  await page.locator('.output img').waitFor();
  expect(await page.locator('#p-size-error').isVisible()).toBe(false);
  await context.close();
});

it('the example is hidden while the form contains input, also with an error', async () => {
  const { context, page } = await offline('format_json');
  const example = page.locator('.example');
  await example.locator('.codeblock').first().waitFor();
  await page.fill('#p-json', '{');
  await page.locator('#p-json-error').waitFor();
  expect(await example.isVisible()).toBe(false);
  await page.fill('#p-json', '');
  await example.waitFor();
  await context.close();
});

it('a comparison of long texts begins within a window of 1280 by 800 pixels', async () => {
  const { context, page } = await offline('compare_text');
  await page.setViewportSize({ width: 1280, height: 800 });
  const lines = Array.from({ length: 60 }, (_, line) => `line ${line}`);
  await page.fill('#p-text1', lines.join('\n'));
  await page.fill('#p-text2', ['another line', ...lines.slice(1)].join('\n'));
  // The result for the first text alone has no such row.
  const row = page.locator('.output .diff tr', { hasText: 'another line' }).first();
  await row.waitFor({ state: 'attached' });
  const { y, height } = (await row.boundingBox())!;
  expect(y + height).toBeLessThan(800);
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await context.close();
});

it('a comparison shows each line number on a single line', async () => {
  const { context, page } = await offline('compare_text');
  await page.setViewportSize({ width: 1280, height: 800 });
  const before = '\n'.repeat(1200);
  await page.fill('#p-text1', `${before}a line`);
  await page.fill('#p-text2', `${before}another line`);
  const number = page.locator('.output .diff .at:visible', { hasText: '1201' }).first();
  // The result of the first text may still be replaced.
  const height = async () => (await number.boundingBox())?.height ?? Number.POSITIVE_INFINITY;
  await expect.poll(height).toBeLessThan(40);
  await context.close();
});

it('JSON is converted to YAML with one click, without a choice of the format', async () => {
  const { context, page } = await offline('convert_yaml');
  await page.fill('#p-text', '{"name": "Ada"}');
  await page.locator('#result').getByRole('button', { name: 'Run again with YAML' }).click();
  await page.locator('#result code', { hasText: 'name: Ada' }).waitFor();
  expect(await page.inputValue('#p-to')).toBe('yaml');
  await context.close();
});

it('a comparison ignores case and whitespace, which the code examples do not contain', async () => {
  const { context, page } = await offline('compare_text');
  await page.fill('#p-text1', 'One\ntwo  three');
  await page.fill('#p-text2', 'one\ntwo three');
  const output = page.locator('.output');
  await output.getByText('2 lines differ').waitFor();
  await page.getByText('More options', { exact: true }).click();
  await page.getByLabel('Ignore whitespace').check();
  await output.getByText('1 line differs').waitFor();
  await page.getByLabel('Ignore case').check();
  await output.getByText('All 2 lines are the same if you ignore case and whitespace.').waitFor();
  expect(await page.locator('main').innerText()).not.toMatch(/ignoreCase|ignoreWhitespace/);
  await context.close();
});

it('a comparison on a phone shows the lines one below the other, in full', async () => {
  const { context, page } = await offline('compare_text');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.fill('#p-text1', 'apples\npears\n'.repeat(3));
  await page.fill('#p-text2', 'apples\ncherries\n'.repeat(3));
  const output = page.locator('.output');
  await output.getByRole('region', { name: 'Changes one below the other' }).waitFor();
  expect(await output.locator('details[open] > summary').allInnerTexts()).toEqual([
    'One below the other',
  ]);
  await output.getByText('Side by side').click();
  const isCut = (table: Element) => table.scrollWidth > table.parentElement!.clientWidth;
  for (const table of await output.locator('table:visible').all())
    expect(await table.evaluate(isCut)).toBe(false);
  await context.close();
});

it('the button beside an error selects the position that the error names', async () => {
  const { context, page } = await offline('format_json');
  const lines = Array.from({ length: 60 }, (_, line) => `"key ${line}": "${'word '.repeat(40)}"`);
  lines[45] = '"key 45" @';
  const json = `{\n${lines.join(',\n')}\n}`;
  const field = page.locator('#p-json');
  await field.fill(json);
  await field.evaluate((element) => element.scrollTo(0, 0));
  await page.getByText('expected a colon, but found @').waitFor();
  await page.getByRole('button', { name: 'Show it' }).click();
  const { start, end, top } = await field.evaluate((element: HTMLTextAreaElement) => ({
    start: element.selectionStart,
    end: element.selectionEnd,
    top: element.scrollTop,
  }));
  expect([start, end]).toEqual([json.indexOf('@'), json.indexOf('@') + 1]);
  expect(top).toBeGreaterThan(0);
  await page.keyboard.type(': 1');
  await page.locator('#result[data-state="done"]').waitFor();
  await context.close();
});

it('an expanded section stays expanded while the result changes', async () => {
  const { context, page } = await offline('encode_base64');
  await page.fill('#p-text', 'a');
  await page.locator('.output').getByText('View JSON').click();
  await page.locator('#p-text').pressSequentially('bc');
  await page.getByText('"encoded": "YWJj"').waitFor();
  await context.close();
});

it('the result of the latest of many changes is shown', async () => {
  const { context, page } = await offline('encode_url');
  for (let count = 1; count <= 30; count += 1) await page.fill('#p-url', '&'.repeat(count));
  const output = page.locator('.output code').first();
  await vi.waitFor(async () => expect(await output.innerText()).toBe('%26'.repeat(30)), PATIENCE);
  await context.close();
});

it('a text file is opened in its field, by the button or by dropping, without a request', async () => {
  const { context, page, requests } = await offline('format_json');
  const field = page.locator('#p-json');
  const open = async (name: string, content: string | Uint8Array) => {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Open a text file: JSON' }).click(),
    ]);
    await chooser.setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });
  };
  await open('a.json', '\ufeff{"a":1}');
  await expect
    .poll(() => page.locator('#result .output code').first().innerText())
    .toBe('{\n  "a": 1\n}');
  await open('photo.jpg', new Uint8Array([0xff, 0xd8]));
  const error = page.locator('#p-json-error');
  await expect.poll(() => error.innerText()).toMatch(/^photo\.jpg is not UTF-8 text\./);
  expect(await field.inputValue()).toBe('{"a":1}');
  await field.evaluate((element) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['[2]'], 'b.json'));
    element.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }));
  });
  await expect.poll(() => field.inputValue()).toBe('[2]');
  const devTools = await page.context().newCDPSession(page);
  const { x, y } = (await field.boundingBox())!;
  const data = { items: [], files: [import.meta.dirname], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await devTools.send('Input.dispatchDragEvent', { type, x: x + 9, y: y + 9, data });
  await expect.poll(() => error.innerText()).toMatch(/^The file site cannot be read:/);
  expect(requests).toEqual([]);
  await context.close();
});

it('hash_text hashes a file as bytes, and compares its digest, without a request', async () => {
  const { context, page, requests } = await offline('hash_text');
  const buffer = Buffer.from([0xff, 0xd8, 0]);
  const digestOf = (name: string) => createHash(name).update(buffer).digest('hex');
  const output = page.locator('#result .output');
  const error = page.locator('#files-error');
  await page.fill('#p-text', 'abc');
  await output.getByText('Digests of the text:').waitFor();
  await page.setInputFiles('#files', { name: 'photo.jpg', mimeType: 'image/jpeg', buffer });
  await output.getByText('Digests of photo.jpg:').waitFor();
  expect(await output.locator('code').allInnerTexts()).toEqual(
    ['sha256', 'sha384', 'sha512', 'sha1', 'md5'].map(digestOf),
  );
  await page.fill('#p-compareWith', `${digestOf('sha256')}  photo.jpg`);
  await output.getByText('The SHA-256 digest matches.').waitFor();

  await page.fill('#p-key', 'secret');
  await output.getByText('HMACs of photo.jpg:').waitFor();
  expect(await output.locator('code').allInnerTexts()).toEqual(
    ['sha256', 'sha384', 'sha512', 'sha1'].map((name) =>
      createHmac(name, 'secret').update(buffer).digest('hex'),
    ),
  );
  await page.fill('#p-key', '');
  await output.getByText('The SHA-256 digest matches.').waitFor();

  await page.locator('[data-files]').evaluate((box) => {
    const large = new File(['a'], 'large.iso');
    Object.defineProperty(large, 'size', { value: 501 * 2 ** 20 });
    const drop = new DragEvent('drop', { bubbles: true, cancelable: true });
    Object.defineProperty(drop, 'dataTransfer', { value: { types: ['Files'], files: [large] } });
    box.dispatchEvent(drop);
  });
  const refusal = 'large.iso is larger than the limit of 500 MB. The file was not added.';
  await expect.poll(() => error.innerText()).toBe(refusal);
  await output.getByText('Digests of photo.jpg:').waitFor();

  await page.getByRole('button', { name: 'Remove photo.jpg' }).click();
  await output.getByText('Digests of the text:').waitFor();
  await output.getByText('None of the digests matches.').waitFor();
  await page.fill('#p-text', '');
  const missing = page.locator('#p-text-error');
  await expect.poll(() => missing.innerText()).toBe('Enter text, or choose a file.');
  expect(requests).toEqual([]);
  await context.close();
});

it('calculate_percentage reads a decimal comma, and copies its result instead of the example', async () => {
  const permissions = ['clipboard-read', 'clipboard-write'];
  const context = await browser.newContext({ viewport: VIEWPORT, permissions });
  const page = await context.newPage();
  await openTool(page, 'calculate_percentage');
  await page.fill('#p-value1', '12,5');
  await page.fill('#p-value2', '200');
  const result = page.locator('#result .output .big');
  await expect.poll(() => result.innerText()).toBe('25');
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('25');
  await page.fill('#p-value2', '1,500');
  const error = page.locator('#p-value2-error');
  await expect.poll(() => error.innerText()).toBe('This value must be a number, not "1,500".');
  await context.close();
});

describe('the link that a page copies', () => {
  const permissions = ['clipboard-read', 'clipboard-write'];
  const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

  it('contains the changed values, and fills in the form of another visitor', async () => {
    const context = await browser.newContext({ viewport: VIEWPORT, permissions });
    const page = await context.newPage();
    await openTool(page, 'format_json');
    const link = page.getByRole('button', { name: 'Copy link' });
    await link.click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await copied(page)).toBe(`${baseUrl}/tools/format_json`);
    await page.fill('#p-json', '{"a": "1 & 2"}');
    await page.fill('#p-indent', '4');
    await link.click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const address = await copied(page);
    expect(address).toMatch(/\/tools\/format_json#json=%7B%22a%22.*&indent=4$/);
    const requests: string[] = [];
    context.on('request', (request) => requests.push(request.url()));
    const other = await context.newPage();
    await other.goto(address);
    const output = other.locator('#result .output code').first();
    await expect.poll(() => output.innerText()).toBe('{\n    "a": "1 & 2"\n}');
    expect(requests.filter((url) => url.includes('%22'))).toEqual([]);
    await other.reload();
    expect(await other.locator('#p-json').inputValue()).toBe('{"a": "1 & 2"}');
    await context.close();
  });

  it('only sets the values of fields: unknown names and choices are ignored', async () => {
    const context = await browser.newContext({ viewport: VIEWPORT });
    const page = await context.newPage();
    const text = '<img src=x onerror=alert(1)> and more';
    const values = new URLSearchParams({ text, kind: 'nonsense', onsubmit: 'alert(1)' });
    await page.goto(`${baseUrl}/tools/generate_uuid#${values}&count=3`);
    const lines = async () =>
      (await page.locator('#result .output code').first().innerText()).trim().split('\n').length;
    await expect.poll(lines).toBe(3);
    expect(await page.locator('#p-kind').inputValue()).toBe('uuid-v4');
    await page.goto(`${baseUrl}/tools/convert_case#${values}`);
    await expect.poll(() => page.locator('#result .output').innerText()).toContain('img');
    expect(await page.locator('#p-text').inputValue()).toBe(text);
    expect(await page.locator('#result .output img').count()).toBe(0);
    await page.evaluate(() => {
      location.hash = 'text=another%20text';
    });
    await expect.poll(() => page.locator('#result .output').innerText()).toContain('anotherText');
    await context.close();
  });

  it('is not copied if the input is too long, and is not offered for secrets', async () => {
    const page = await browser.newPage();
    await openTool(page, 'format_json');
    await page.fill('#p-json', `"${'a'.repeat(8000)}"`);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByRole('button', { name: 'The input is too long for a link' }).waitFor();
    for (const secret of ['decode_jwt', 'hash_text']) {
      await page.goto(`${baseUrl}/tools/${secret}#token=a.b.c&text=abc`);
      await page.locator('#tool-form button.main:enabled').waitFor();
      expect(await page.getByRole('button', { name: 'Copy link' }).count()).toBe(0);
      expect(await page.locator('#p-token, #p-text').inputValue()).toBe('');
    }
    await page.close();
  });
});
