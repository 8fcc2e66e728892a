import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../test-operation.ts';
import { compress, difference, imagesOf, scan, textOf } from './test-compress.ts';
import { distilled, emptyFolder, put } from './test-files.ts';
import { flateImage, type ImagePage, imageFile } from './test-image-files.ts';
import * as look from './test-looks.ts';

afterAll(emptyFolder);

const strong = (path: string) => compress(path, { level: 'strong' });

/** Returns a PDF's bytes as text, without the random identifier of the file. */
const withoutId = (bytes: Buffer) => bytes.toString('latin1').replace(/\/ID ?\[[^\]]*\]/, '');

/** Makes a one-bit image of 300 dpi whose pixels are black where `isBlack` returns true. */
function bitmap(isBlack: (x: number, y: number) => boolean): ImagePage {
  const [width, height] = [1000, 1200];
  const rows = Buffer.alloc((width / 8) * height, 255);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (isBlack(x, y)) rows[(y * width + x) >> 3]! &= ~(0x80 >> (x & 7));
    }
  }
  const entries = { ColorSpace: 'DeviceGray', BitsPerComponent: 1 };
  return { image: flateImage(width, height, rows, entries), across: 240 };
}

describe('compress_pdf at the strong level', () => {
  it('reduces scans to 100 dpi, to less than the standard level, and keeps the text', async () => {
    const bytes = await imageFile([await scan(1), await scan(2)], (document) => {
      document.getPage(0).drawText('A text layer over the scan', { x: 20, y: 20, size: 9 });
    });
    const path = put('scans.pdf', bytes);
    const [standard, result] = [await compress(path), await strong(path)];
    expect(imagesOf(result.path)).toEqual(['1 image 333x400 rgb jpeg', '2 image 333x400 rgb jpeg']);
    expect(result.meta).toMatchObject({ undone: [] });
    expect(result.bytes.length).toBeLessThan(standard.bytes.length * 0.6);
    expect(textOf(result.path)).toBe(textOf(path));
    expect(textOf(result.path)).toContain('A text layer over the scan');
    expect(difference(path, result.path)).toBeLessThan(5);
    look.check(result.path);
  });

  it('is the standard level by default', async () => {
    const path = put('default.pdf', await imageFile([await scan(3)]));
    const standard = await compress(path, { level: 'standard' });
    expect(imagesOf(standard.path)).toEqual(['1 image 500x600 rgb jpeg']);
    expect(withoutId((await compress(path)).bytes)).toBe(withoutId(standard.bytes));
  });

  it('does the same as the standard level for pages with only vector drawings', async () => {
    const lines = Array.from(
      { length: 300 },
      (_, at) => `72 ${at * 2} moveto 500 700 lineto stroke`,
    );
    const path = distilled('drawing', `${lines.join('\n')}\n72 700 moveto (drawn) show showpage`);
    const [standard, result] = [await compress(path), await strong(path)];
    expect(withoutId(result.bytes)).toBe(withoutId(standard.bytes));
    expect(result.meta).toEqual(standard.meta);
  });

  it('reduces one-bit images of 300 dpi to 200', async () => {
    const text = Array.from({ length: 46 }, (_, line) => {
      const words = Array.from({ length: 14 }, (_, at) => (line * 7919 + at * 104729).toString(36));
      return `<text x="20" y="${40 + line * 25}">${words.join(' ')}</text>`;
    });
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="1200" font-size="20">${text.join('')}</svg>`;
    const drawn = sharp(Buffer.from(svg)).flatten({ background: 'white' }).grayscale();
    const pixels = await drawn.raw().toBuffer();
    const page = bitmap((x, y) => pixels[y * 1000 + x]! < 128);
    const path = put('bits.pdf', await imageFile([page]));
    expect(imagesOf((await compress(path)).path)).toEqual(['1 image 1000x1200 gray ccitt']);
    const result = await strong(path);
    expect(imagesOf(result.path)).toEqual(['1 image 667x800 gray ccitt']);
    expect(difference(path, result.path)).toBeLessThan(12);
  });

  it('recodes images at the standard level if the strong level changes the page too much', async () => {
    let state = 1;
    const isDot = () => {
      state = (state * 1103515245 + 12345) & 0x7fffffff;
      return (state >> 16) % 10 < 3;
    };
    // Black dots on 30 percent of the page become fewer when their means are rounded to black or white.
    const dots = put('dots.pdf', await imageFile([bitmap(isDot), await scan(4)]));
    const path = dots.replace('dots', 'fax');
    run('gs', '-q', '-sDEVICE=pdfwrite', '-dDownsampleMonoImages=false', '-o', path, dots);
    const [standard, result] = [await compress(path), await strong(path)];
    expect(result.meta.undone).toEqual(['sharpness of images']);
    expect(withoutId(result.bytes)).toBe(withoutId(standard.bytes));
  });

  it('is suggested for a file that is mostly images, if the standard level saves little', async () => {
    const coarse = { ...(await scan(5)), across: 360 };
    const once = await compress(put('coarse.pdf', await imageFile([coarse])));
    const again = await compress(once.path);
    expect(again.meta).toMatchObject({
      unchanged: 'the file cannot be made smaller',
      mayShrinkMore: true,
    });
    const result = await strong(once.path);
    expect(imagesOf(result.path)).toEqual(['1 image 500x600 rgb jpeg']);
    expect(result.bytes.length).toBeLessThan(readFileSync(once.path).length / 2);
    expect(result.meta).not.toHaveProperty('mayShrinkMore');
    const fine = await compress(put('fine.pdf', await imageFile([await scan(6)])));
    expect(fine.meta).not.toHaveProperty('mayShrinkMore');
  });
});
