/** Runs compress_pdf for tests, and reads its results with poppler. */
import { execFileSync } from 'node:child_process';
import { expect } from 'vitest';
import { run } from '../test-operation.ts';
import { operate, type Ran } from './test-files.ts';
import { type ImagePage, jpegImage } from './test-image-files.ts';

/** Makes a 300 dpi scan that is 240 points wide. */
export const scan = async (seed = 1): Promise<ImagePage> => ({
  image: await jpegImage(1000, 1200, seed),
  across: 240,
});

export const compress = (path: string, params: Record<string, unknown> = {}): Promise<Ran> =>
  operate('compress_pdf', params, [path]);

/** Returns the page, type, size in pixels, color space and encoding of each image, as pdfimages lists them. */
export const imagesOf = (path: string): string[] =>
  run('pdfimages', '-list', path)
    .split('\n')
    .slice(2)
    .filter((line) => line !== '')
    .map((line) => line.trim().split(/\s+/))
    .map(([page, , type, width, height, color, , , encoding]) =>
      [page, type, `${width}x${height}`, color, encoding].join(' '),
    );

export const textOf = (path: string) => run('pdftotext', '-raw', path, '-');

/** Returns the root mean square difference between the rendered pages of two files, from 0 to 255. */
export function difference(left: string, right: string): number {
  const pixels = (path: string) =>
    execFileSync('pdftoppm', ['-r', '40', path], { maxBuffer: 1 << 28 });
  const [a, b] = [pixels(left), pixels(right)];
  expect(a.length).toBe(b.length);
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += ((a[index] ?? 0) - (b[index] ?? 0)) ** 2;
  return Math.sqrt(sum / a.length);
}
