/**
 * Tests that a person can complete seven everyday tasks on the site by mouse, by keyboard, and on a phone. After the
 * files are chosen, each task takes at most four clicks. A key press that activates a control counts as a click.
 */
import { readFileSync } from 'node:fs';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import type { Browser, Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../support/chromium.ts';
import { baseUrl } from '../support/service.ts';

const MAX_CLICKS = 4;
const WAYS = [
  { way: 'by mouse', viewport: { width: 1280, height: 800 }, isKeyboard: false },
  { way: 'by keyboard', viewport: { width: 1280, height: 800 }, isKeyboard: true },
  { way: 'on a phone', viewport: { width: 390, height: 844 }, isKeyboard: false },
];

interface Given {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

const given: Record<'photo' | 'document' | 'scan', Given> = {} as never;
let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
  given.photo = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: await largePhoto() };
  given.document = { name: 'report.pdf', mimeType: 'application/pdf', buffer: await pages(9) };
  given.scan = { name: 'scan.pdf', mimeType: 'application/pdf', buffer: await scannedPages() };
});
afterAll(() => browser.close());

/** Makes a photo of about 6 MB. It consists of noise, which is incompressible. */
const largePhoto = () =>
  sharp({
    create: {
      width: 3400,
      height: 2550,
      channels: 3,
      background: 'teal',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
    .jpeg({ quality: 93 })
    .toBuffer();

async function pages(count: number, word = 'Page'): Promise<Buffer> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (let number = 1; number <= count; number += 1)
    document.addPage([300, 400]).drawText(`${word} ${number}`, { x: 60, y: 200, size: 36, font });
  return Buffer.from(await document.save());
}

/** Makes a PDF of four pages that contain only images. */
async function scannedPages(): Promise<Buffer> {
  const document = await PDFDocument.create();
  for (const word of ['First', 'Second', 'Third', 'Fourth']) {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="400"><rect width="800" height="400" fill="#fff"/><text x="80" y="220" font-size="90" font-family="DejaVu Sans">${word}</text></svg>`;
    const image = await document.embedPng(await sharp(Buffer.from(svg)).png().toBuffer());
    document.addPage([400, 200]).drawImage(image, { x: 0, y: 0, width: 400, height: 200 });
  }
  return Buffer.from(await document.save());
}

/** Counts a person's clicks and key presses. Choosing files and typing do not count. */
class Person {
  clicks = 0;
  readonly page: Page;
  readonly #isKeyboard: boolean;

  constructor(page: Page, isKeyboard: boolean) {
    this.page = page;
    this.#isKeyboard = isKeyboard;
  }

  async press(target: Locator): Promise<void> {
    this.clicks += 1;
    if (!this.#isKeyboard) return target.click();
    await this.#tabTo(target);
    await this.page.keyboard.press('Enter');
  }

  async type(target: Locator, text: string): Promise<void> {
    if (this.#isKeyboard) await this.#tabTo(target);
    else await target.focus();
    await target.fill(text);
  }

  /** Activates `target`, and returns the bytes of the downloaded file. */
  async save(target: Locator): Promise<Buffer> {
    await target.waitFor();
    const [download] = await Promise.all([this.page.waitForEvent('download'), this.press(target)]);
    return readFileSync(await download.path());
  }

  async #tabTo(target: Locator): Promise<void> {
    await target.waitFor();
    const isFocused = () => target.evaluate((element) => element === document.activeElement);
    for (let presses = 0; presses < 120; presses += 1) {
      if (await isFocused()) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not reach ${target}.`);
  }

  open(path: string): Promise<unknown> {
    return this.page.goto(baseUrl + path);
  }

  choose(files: readonly Given[]): Promise<void> {
    return this.page.setInputFiles('#files', [...files]);
  }

  run(): Promise<void> {
    return this.press(this.page.locator('#tool-form button.main'));
  }

  saveLink(name: RegExp): Locator {
    return this.page.locator('#result').getByRole('link', { name }).first();
  }
}

type Task = (person: Person) => Promise<void>;

const pageCount = async (bytes: Buffer) => (await PDFDocument.load(bytes)).getPageCount();

const TASKS: [task: string, does: Task][] = [
  [
    'three PDFs become one in a new order',
    async (person) => {
      await person.open('/tools/merge_pdf');
      const files = await Promise.all(
        [1, 2, 3].map(async (count) => ({
          name: `${count}.pdf`,
          mimeType: 'application/pdf',
          buffer: await pages(count),
        })),
      );
      await person.choose(files);
      await person.press(
        person.page.getByRole('button', { name: /3\.pdf.*(up|earlier)/i }).first(),
      );
      const names = person.page.locator('.files .name');
      await expect.poll(async () => (await names.nth(1).textContent())?.trim()).toContain('3.pdf');
      await person.run();
      expect(await pageCount(await person.save(person.saveLink(/^Save/)))).toBe(6);
    },
  ],
  [
    'a photo of 6 MB becomes a WebP 1200 pixels wide',
    async (person) => {
      expect(given.photo.buffer.length).toBeGreaterThan(5e6);
      await person.open('/tools/compress_image');
      await person.choose([given.photo]);
      await person.type(person.page.getByLabel('Width in pixels'), '1200');
      await person.run();
      const { format, width } = await sharp(await person.save(person.saveLink(/^Save/))).metadata();
      expect({ format, width }).toEqual({ format: 'webp', width: 1200 });
    },
  ],
  [
    'pages 2 to 4 and 7 become a PDF',
    async (person) => {
      await person.open('/tools/split_pdf');
      await person.choose([given.document]);
      await person.type(person.page.locator('#p-ranges'), '2-4, 7');
      await person.run();
      expect(await pageCount(await person.save(person.saveLink(/^Save/)))).toBe(4);
    },
  ],
  [
    'the text of four scanned pages is saved',
    async (person) => {
      await person.open('/tools/extract_text_ocr');
      await person.choose([given.scan]);
      await person.run();
      const save = person.page.locator('#result [data-save]').first();
      expect((await person.save(save)).toString()).toMatch(
        /First[\s\S]*Second[\s\S]*Third[\s\S]*Fourth/,
      );
    },
  ],
  [
    'a text becomes a QR code as PNG',
    async (person) => {
      await person.open('/tools/generate_qr_code');
      await person.type(person.page.locator('#p-text'), 'https://example.com/menu');
      const output = person.page.locator('#result .output');
      const save = output.getByText(/^Save/).first();
      // The QR code may appear during typing. Otherwise, it appears after the button is pressed.
      if (!(await output.locator('img').count())) await person.run();
      expect((await sharp(await person.save(save)).metadata()).format).toBe('png');
    },
  ],
  [
    'two texts are compared',
    async (person) => {
      await person.open('/tools/compare_text');
      await person.type(person.page.locator('#p-text1'), 'one\ntwo\nthree');
      await person.type(person.page.locator('#p-text2'), 'one\nzwei\nthree');
      const changed = person.page.locator('#result .output', { hasText: 'zwei' });
      await changed.waitFor();
    },
  ],
  [
    'a chain of three is shared and opens elsewhere',
    async (person) => {
      const { page } = person;
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await person.open('/chains');
      await person.press(page.getByRole('link', { name: /^Open a photo as a PDF/ }));
      await page.locator('.step').nth(3).waitFor();
      await page.setInputFiles('#files', [{ ...given.photo, name: 'secret.jpg' }]);
      await person.press(page.getByRole('button', { name: 'Run the chain' }));
      await page.locator('#chain-result').waitFor();
      await person.press(page.getByRole('button', { name: 'Copy: the link to this chain' }));
      const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
      await expect.poll(clipboard).toContain('/chains?recipe=');
      const link = await clipboard();
      const other = await browser.newContext();
      const elsewhere = await other.newPage();
      await elsewhere.goto(link);
      expect(await elsewhere.locator('.step h2').allInnerTexts()).toEqual(
        await page.locator('.step h2').allInnerTexts(),
      );
      expect(await elsewhere.content()).not.toContain('secret.jpg');
      await other.close();
    },
  ],
];

describe.each(WAYS)('$way', ({ viewport, isKeyboard }) => {
  it.each(TASKS)(`%s in at most ${MAX_CLICKS} clicks`, async (_, does) => {
    const context = await browser.newContext({ viewport, acceptDownloads: true });
    const person = new Person(await context.newPage(), isKeyboard);
    await does(person);
    expect(person.clicks).toBeLessThanOrEqual(MAX_CLICKS);
    await context.close();
  });
});
