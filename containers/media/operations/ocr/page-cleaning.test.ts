/** Tests, without OCR, the measurements that determine how a page is cleaned. The pages are drawn by the tests. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { cleanPage } from '../image/scanned-page/page-cleaning.ts';
import { openPage } from '../image/scanned-page/page-pixels.ts';
import { unreadInk } from '../image/scanned-page/unread-ink.ts';
import { movedBox, ofCleaned } from './word-boxes.ts';

const folder = mkdtempSync(join(tmpdir(), 'page-cleaning-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const [WIDTH, HEIGHT] = [1600, 2000];
const lines = Array.from(
  { length: 24 },
  (_, line) =>
    `<text x="150" y="${200 + line * 70}">every page was printed by hand in a shop</text>`,
);
const svg = (more = '') =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="DejaVu Sans"
    font-size="48"><rect width="100%" height="100%" fill="#fff"/>${lines.join('')}${more}</svg>`);
const drawing = (content: string, width = WIDTH, height = HEIGHT) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="DejaVu Sans"
    font-size="48">${content}</svg>`);
const page = await sharp(svg()).png().toBuffer();
const shadow = `<linearGradient id="g"><stop stop-color="#000" stop-opacity="0"/><stop offset="1" stop-color="#000"
  stop-opacity=".7"/></linearGradient><rect width="100%" height="100%" fill="url(#g)"/>`;

const output = join(folder, 'cleaned.png');
async function cleaned(png: Buffer) {
  const path = join(folder, 'page.png');
  writeFileSync(path, png);
  return cleanPage({ path, output });
}
const turned = (degrees: number) =>
  sharp(page).rotate(degrees, { background: 'white' }).png().toBuffer();

describe('cleaning a page', () => {
  it('leaves a level, evenly lit page of sufficient resolution unchanged', async () => {
    expect(await cleaned(page)).toBeNull();
    expect(await cleaned(await turned(0.5))).toBeNull();
  });

  it.each([2, -7, 15])('levels lines slanted by %d degrees', async (degrees) => {
    expect(await cleaned(await turned(degrees))).toMatchObject({
      degrees: expect.closeTo(-degrees, 0),
      scale: 1,
    });
  });

  it('whitens paper in a shadow and keeps letters dark', async () => {
    expect(await cleaned(await sharp(svg(shadow)).png().toBuffer())).toMatchObject({ degrees: 0 });
    const { data, width } = await (await openPage(output)).whole();
    const brightest = (x: number) =>
      Math.max(...Array.from({ length: 1900 }, (_, y) => data[y * width + x] as number));
    for (const x of [100, 800, 1500]) expect(brightest(x)).toBeGreaterThan(225);
    expect(Math.min(...data.subarray(180 * width, 200 * width))).toBeLessThan(80);
  });

  it('doubles the size of a page of few pixels', async () => {
    const small = await sharp(page).resize(600).png().toBuffer();
    expect(await cleaned(small)).toMatchObject({ scale: 2, degrees: 0, width: 600, height: 750 });
    expect((await openPage(output)).width).toBe(1200);
  });

  /** Returns a page of Gaussian noise, which is the same in each run. */
  function grain(mean: number, sigma: number) {
    let state = 1;
    const uniform = () => {
      state = (state * 1664525 + 1013904223) % 2 ** 32;
      return (state + 1) / 2 ** 32;
    };
    const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
    const data = new Uint8ClampedArray(WIDTH * HEIGHT).map(() => mean + sigma * normal());
    return sharp(data, { raw: { width: WIDTH, height: HEIGHT, channels: 1 } }).toColourspace(
      'srgb',
    );
  }

  it.each([
    ['white paper', () => sharp(drawing('')).flatten({ background: 'white' })],
    ['weak noise', () => grain(240, 3)],
    ['strong noise', () => grain(90, 27)],
    ['coarse grain', () => grain(200, 40).blur(4)],
    ['a shadow', () => grain(230, 7).composite([{ input: drawing(shadow) }])],
  ])('finds that a page of %s is blank', async (_, blank) => {
    expect(await cleaned(await blank().png().toBuffer())).toBe('blank');
    expect(await cleaned(await blank().jpeg({ quality: 35 }).toBuffer())).toBe('blank');
  });

  it.each([
    ['faint in weak noise', 0.08, 3],
    ['in strong noise', 0.8, 27],
    ['dark in weak noise', 0.9, 7],
  ])('finds that a page with one word %s is not blank', async (_, opacity, sigma) => {
    const word = `<text x="800" y="1900" opacity="${opacity}">7 of 9</text>`;
    const page = grain(230, sigma).composite([{ input: drawing(word) }]);
    expect(await cleaned(await page.jpeg({ quality: 60 }).toBuffer())).not.toBe('blank');
  });

  it('never finds that a small image is blank, because a word may fill it', async () => {
    const word = drawing('<text x="10" y="60" opacity="0.1">word</text>', 200, 80);
    expect(
      await cleaned(await sharp(word).flatten({ background: 'white' }).png().toBuffer()),
    ).toMatchObject({ scale: 2 });
  });

  it('maps a box of the cleaned page to the original page', async () => {
    const dot = { x: 500, y: 300 };
    const cleaning = { degrees: -7, scale: 2, width: 1000, height: 800, pixels: 0 };
    const canvas = await sharp({
      create: { width: 1000, height: 800, channels: 3, background: 'white' },
    })
      .composite([
        {
          input: { create: { width: 9, height: 9, channels: 3, background: 'black' } },
          left: dot.x - 4,
          top: dot.y - 4,
        },
      ])
      .png()
      .toBuffer();
    const { data, info } = await sharp(canvas)
      .rotate(cleaning.degrees, { background: 'white' })
      .grayscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const at = data.findIndex((value) => value < 30);
    const [x, y] = [at % info.width, Math.floor(at / info.width)];
    const box = movedBox({ x: 2 * x, y: 2 * y, width: 8, height: 8 }, ofCleaned(cleaning));
    expect(Math.abs(box.x - dot.x)).toBeLessThan(8);
    expect(Math.abs(box.y - dot.y)).toBeLessThan(8);
  });
});

describe('unread ink', () => {
  const path = join(folder, 'read.png');
  const words = (count: number) =>
    lines
      .slice(0, count)
      .map((_, line) => ({ x: 150, y: 160 + line * 70, width: 1300, height: 50 }));

  it('is the share of lines without a recognized word', async () => {
    writeFileSync(path, page);
    expect(await unreadInk({ path, boxes: words(24) })).toBeLessThan(0.1);
    expect(await unreadInk({ path, boxes: words(12) })).toBeCloseTo(0.5, 1);
    expect(await unreadInk({ path, boxes: [] })).toBe(1);
  });

  it('is zero on a blank page, a page with a stain and a page with a filled area', async () => {
    for (const shape of [
      '',
      '<circle cx="800" cy="800" r="9"/>',
      '<rect width="800" height="800"/>',
    ]) {
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="2000">${shape}</svg>`;
      writeFileSync(
        path,
        await sharp(Buffer.from(svg)).flatten({ background: 'white' }).png().toBuffer(),
      );
      expect(await unreadInk({ path, boxes: [] })).toBe(0);
    }
  });
});
