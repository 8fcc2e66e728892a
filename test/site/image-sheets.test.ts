/** Tests the list of images on the page of images_to_pdf: the preview of each page, and the rotation of an image. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser } from '../support/chromium.ts';
import { openPerson } from '../support/passkey-browser.ts';
import { baseUrl } from '../support/service.ts';
import { PATIENCE } from './tool-page.ts';

const folder = mkdtempSync(join(tmpdir(), 'tools-sheets-'));
const at = (name: string) => join(folder, name);
/** Each image is 300 x 200 pixels when it is upright: red at the left, blue at the right. */
const NAMES = ['plain.jpg', 'camera.jpg', 'other.jpg', 'plain.png', 'tagged.png', 'photo.webp'];
const A_RIGHT_ANGLE = 8;

let browser: Browser;
let page: Page;

beforeAll(async () => {
  const red = { create: { width: 300, height: 200, channels: 3 as const, background: 'red' } };
  const blue = { create: { width: 200, height: 200, channels: 3 as const, background: 'blue' } };
  const right = { input: await sharp(blue).png().toBuffer(), left: 100, top: 0 };
  const upright = await sharp(red).composite([right]).png().toBuffer();
  // These pixels are rotated, and the orientation rotates them back.
  const tagged = await sharp(await sharp(upright).rotate(90).png().toBuffer());
  const other = { IFD0: { Copyright: 'someone' } };
  await sharp(upright).jpeg().toFile(at('plain.jpg'));
  await tagged.clone().withMetadata({ orientation: A_RIGHT_ANGLE }).jpeg().toFile(at('camera.jpg'));
  await sharp(upright).withExif(other).jpeg().toFile(at('other.jpg'));
  await sharp(upright).png().toFile(at('plain.png'));
  await tagged.clone().withMetadata({ orientation: A_RIGHT_ANGLE }).png().toFile(at('tagged.png'));
  await sharp(upright).webp().toFile(at('photo.webp'));
  browser = await openBrowser();
  ({ page } = await openPerson(browser, { viewport: { width: 1280, height: 900 } }));
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

async function choose(names: readonly string[]): Promise<void> {
  await page.goto(`${baseUrl}/tools/images_to_pdf`);
  await page.setInputFiles('#files', names.map(at));
  await expect.poll(() => page.locator('.paper img').count(), PATIENCE).toBe(names.length);
}

const rotate = (name: string) => page.getByRole('button', { name: `Rotate ${name} right` }).click();

/** A page with its image. The position and size of the image are fractions of the page. */
interface Sheet {
  ratio: number;
  image: [x: number, y: number, width: number, height: number];
}

/** Returns the sheets that the page shows. */
const shownSheets = (): Promise<Sheet[]> =>
  page.locator('.paper').evaluateAll((sheets) =>
    sheets.map((sheet) => {
      const paper = sheet.getBoundingClientRect();
      const { x, y, width, height } = sheet.querySelector('img')!.getBoundingClientRect();
      const left = (x - paper.x) / paper.width;
      const top = (y - paper.y) / paper.height;
      return {
        ratio: paper.width / paper.height,
        image: [left, top, width / paper.width, height / paper.height],
      };
    }),
  );

/** Creates the PDF, and returns its pages as PNG images of 72 dpi. */
async function createdPages(): Promise<string[]> {
  await page.locator('#tool-form button.main').click();
  const save = page.locator('#result a[download]').first();
  const [download] = await Promise.all([page.waitForEvent('download'), save.click()]);
  await download.saveAs(at('made.pdf'));
  execFileSync('pdftoppm', ['-r', '72', '-png', 'made.pdf', 'made'], { cwd: folder });
  const count = await page.locator('.files > li').count();
  return Array.from({ length: count }, (_, index) => at(`made-${index + 1}.png`));
}

/** Returns the position and size of the image on a rendered page, which is otherwise white. */
async function sheetOf(path: string): Promise<Sheet> {
  const { width, height } = await sharp(path).metadata();
  const { info } = await sharp(path)
    .trim({ background: 'white', threshold: 100 })
    .toBuffer({ resolveWithObject: true });
  return {
    ratio: width / height,
    image: [
      -info.trimOffsetLeft! / width,
      -info.trimOffsetTop! / height,
      info.width / width,
      info.height / height,
    ],
  };
}

/** Returns which side of the image on a rendered page is red. */
async function redSideOf(path: string): Promise<string> {
  const trimmed = sharp(path).trim({ background: 'white', threshold: 100 });
  const { data, info } = await trimmed.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const isRed = (x: number, y: number) =>
    data[(Math.floor(y * height) * width + Math.floor(x * width)) * channels]! > 128;
  const sides = { left: [0.1, 0.5], right: [0.9, 0.5], top: [0.5, 0.1], bottom: [0.5, 0.9] };
  const found = Object.entries(sides).filter(([, [x, y]]) => isRed(x!, y!));
  return found.map(([side]) => side).join();
}

it.each([
  ['a4', 'auto', '28'],
  ['letter', 'portrait', '72'],
  ['fit', 'auto', '36'],
])('shows the pages as they will be: %s, %s, margin %s', async (size, orientation, margin) => {
  const names = ['plain.jpg', 'tagged.png', 'photo.webp'];
  await choose(names);
  await rotate('tagged.png');
  await page.selectOption('#p-orientation', orientation);
  await page.selectOption('#p-pageSize', size);
  await page.selectOption('#p-margin', margin);
  await expect.poll(async () => (await shownSheets())[0]!.image[0], PATIENCE).toBeGreaterThan(0.02);
  const shown = await shownSheets();
  const created = await Promise.all((await createdPages()).map(sheetOf));
  for (const [index, sheet] of created.entries()) {
    expect(shown[index]!.ratio).toBeCloseTo(sheet.ratio, 1);
    for (const [side, fraction] of sheet.image.entries())
      expect(
        Math.abs(shown[index]!.image[side]! - fraction),
        `${names[index]}, ${side}`,
      ).toBeLessThan(0.02);
  }
});

it('offers an orientation only for paper, because a page as large as its image has none', async () => {
  await choose(['photo.webp']);
  const orientation = page.locator('#p-orientation');
  await page.selectOption('#p-pageSize', 'fit');
  await expect.poll(() => orientation.isDisabled(), PATIENCE).toBe(true);
  await page.selectOption('#p-pageSize', 'letter');
  await expect.poll(() => orientation.isDisabled(), PATIENCE).toBe(false);
});

it('rotates images without encoding a JPEG or PNG again', async () => {
  await choose(NAMES);
  for (const name of NAMES) await rotate(name);
  await rotate('plain.jpg');
  const turned = () =>
    page
      .locator('.paper img')
      .evaluateAll((images) => (images as HTMLElement[]).map(({ style }) => style.rotate));
  const angles = ['180deg', ...Array<string>(NAMES.length - 1).fill('90deg')];
  await expect.poll(turned, PATIENCE).toEqual(angles);
  await page.getByRole('button', { name: 'Move other.jpg up' }).click();
  await page.getByRole('button', { name: 'Move other.jpg down' }).click();
  await expect.poll(turned, PATIENCE).toEqual(angles);
  const sides = await Promise.all((await createdPages()).map(redSideOf));
  expect(sides).toEqual(['right', 'top', 'top', 'top', 'top', 'top']);
  const images = execFileSync('pdfimages', ['-list', at('made.pdf')], { encoding: 'utf8' });
  expect(images.match(/ jpeg /g)).toHaveLength(3);
});

it('preserves a rotation across a reload', async () => {
  await choose(['plain.jpg', 'plain.png']);
  await rotate('plain.jpg');
  await rotate('plain.png');
  await expect.poll(async () => (await shownSheets())[1]!.ratio, PATIENCE).toBeLessThan(1);
  await page.reload();
  await expect.poll(() => page.locator('.paper img').count(), PATIENCE).toBe(2);
  const sides = await Promise.all((await createdPages()).map(redSideOf));
  expect(sides).toEqual(['top', 'top']);
});
