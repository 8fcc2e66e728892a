/**
 * Creates the images for the how-tos: screenshots of each task's result, compressed by the service itself. Run it with
 * `npm run how-to-images -- [ADDRESS [NAME…]]`. By default, it uses the address of `npm start` and creates all images.
 * The service needs `EGRESS_HOSTS={"shop.example":"127.0.0.1:9100"}`, because this script serves the documents' example
 * site on that port.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { HOW_TO_IMAGE, HOW_TO_IMAGES } from '../src/site/content/how-to-images.ts';
import { makeSampleFiles, type SampleFile } from '../test/content/sample-files.ts';
import { EXAMPLE_HOST, EXAMPLE_SITE } from '../test/support/example-site.ts';
import { openUpstream } from '../test/support/upstream.ts';
import { CHROMIUM_PATH } from './chromium-path.ts';

type HowTo = keyof typeof HOW_TO_IMAGES;

interface Task {
  files?: SampleFile[];
  /** The field values by parameter name. If the field is a checkbox, any value checks it. */
  fields?: Record<string, string>;
  /** The labels of buttons to press before the tool runs. */
  presses?: string[];
}

const LINK = 'https://example.com/a/very/long/path';
const SITE = `https://${EXAMPLE_HOST}/`;
const SITE_PORT = 9100;
const TOKEN = [{ alg: 'HS256' }, { sub: 'ann', exp: 1_700_000_000 }, 'unsigned']
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .join('.');

const TASKS: Record<HowTo, Task> = {
  'compare-two-configuration-files': {
    fields: {
      text1: 'port 8787\nlimits on\nname tools',
      text2: 'port 9000\nlimits on\nname tools',
    },
  },
  'compress-a-scan-for-mail': { files: ['scan.pdf'] },
  'cut-a-comic-into-panels': { files: ['comic.png'] },
  'fill-a-database-with-test-users': { fields: { count: '4' } },
  'find-out-why-a-jwt-is-refused': { fields: { token: TOKEN } },
  'make-a-qr-code-for-print': { fields: { text: LINK, size: '1000' } },
  'make-one-pdf-from-photos': {
    files: ['photo.jpg', 'letter.png', 'cover.pdf'],
    fields: { pageSize: 'a4', margin: '36' },
  },
  'merge-pdfs-into-one-document': { files: ['cover.pdf', 'report.pdf', 'scan.pdf'] },
  'ocr-a-scan-in-german': { files: ['brief.png'], fields: { language: 'deu' } },
  'prepare-images-for-a-web-page': { files: ['photo.jpg'], fields: { width: '800' } },
  'read-the-text-of-any-pdf': { files: ['report.pdf'] },
  'rotate-sideways-pages-of-a-pdf': {
    files: ['report.pdf'],
    presses: ['Rotate page 2 right', 'Rotate page 5 right'],
  },
  'send-only-some-pages': { files: ['report.pdf'], fields: { ranges: '1-3, 7' } },
  'show-a-preview-of-a-link': { fields: { url: SITE } },
  'shrink-a-screen-recording': {
    files: ['clip.mp4'],
    fields: { scale: '-1:240', removeAudio: 'on' },
  },
  'watch-what-a-page-looks-like': {
    fields: { url: SITE, width: '1000', height: '400', hideSelectors: '#banner' },
  },
};

const FOLDER = 'src/site/content/images';
const SCALE = 1.5;
const QUALITIES = [0.7, 0.5, 0.3, 0.1];
const MAX_BYTES = 15_000;

const [address = 'http://localhost:8787', ...names] = process.argv.slice(2);
const samples = mkdtempSync(join(tmpdir(), 'how-to-images-'));
await makeSampleFiles(samples);
const site = await openUpstream(EXAMPLE_SITE, SITE_PORT);
const browser = await chromium.launch({
  executablePath: CHROMIUM_PATH,
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  const viewport = { width: 1280, height: 900 };
  const page = await browser.newPage({ viewport, colorScheme: 'light', deviceScaleFactor: SCALE });
  page.setDefaultTimeout(120_000);
  for (const [name, task] of Object.entries(TASKS)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const image = await compressed(await resultOf(page, HOW_TO_IMAGES[name as HowTo], task));
    writeFileSync(join(FOLDER, `${name}.webp`), image);
    console.log(`${name}: ${Math.ceil(image.length / 1000)} kB`);
  }
} finally {
  await browser.close();
  await site.close();
  rmSync(samples, { recursive: true });
}

async function resultOf(page: Page, tool: string, task: Task): Promise<Buffer> {
  const { files = [], fields = {}, presses = [] } = task;
  await page.goto(`${address}/tools/${tool}`);
  if (files.length > 0)
    await page.setInputFiles(
      '#files',
      files.map((file) => join(samples, file)),
    );
  await page.evaluate((values) => {
    for (const [name, value] of Object.entries(values)) {
      const field = document.querySelector<HTMLInputElement>(`#tool-form [name="${name}"]`)!;
      if (field.type === 'checkbox') field.checked = true;
      else field.value = value;
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }
  }, fields);
  for (const name of presses) await page.getByRole('button', { name }).click();
  await page.locator('#tool-form button.main:enabled').click();
  await page.locator('#result[data-state="done"]').waitFor();
  // The pages of a PDF are rendered after the result is shown.
  await page.locator('#result:not(:has([aria-busy="true"]))').waitFor();
  const { width, height } = HOW_TO_IMAGE;
  const corner = await page.locator('#result').evaluate((result, pixels) => {
    for (const actions of result.querySelectorAll('.actions')) actions.remove();
    result.style.width = `${pixels}px`;
    const { left, top } = result.getBoundingClientRect();
    return { x: left + scrollX, y: top + scrollY };
  }, width / SCALE);
  const clip = { ...corner, width: width / SCALE, height: height / SCALE };
  return page.screenshot({ fullPage: true, clip });
}

/** Returns the image as WebP at the highest quality that stays below the size limit. */
async function compressed(image: Buffer): Promise<Buffer> {
  for (const quality of QUALITIES) {
    const made = await inQuality(image, quality);
    if (made.length <= MAX_BYTES) return made;
  }
  throw new Error('An image is too large. Show less in it.');
}

async function inQuality(image: Buffer, quality: number): Promise<Buffer> {
  const body = new FormData();
  body.set('tool', 'compress_image');
  body.set('parameters', JSON.stringify({ format: 'webp', quality }));
  body.set('file', new File([new Uint8Array(image)], 'result.png', { type: 'image/png' }));
  const response = await fetch(`${address}/api/v1/tools/execute`, { method: 'POST', body });
  if (!response.ok) throw new Error(await response.text());
  return Buffer.from(await response.arrayBuffer());
}
