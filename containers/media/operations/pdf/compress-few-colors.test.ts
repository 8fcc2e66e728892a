import { type PDFDocument, PDFHexString, PDFName, type PDFRef } from 'pdf-lib';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../test-operation.ts';
import { compress, difference, imagesOf } from './test-compress.ts';
import { emptyFolder, put } from './test-files.ts';
import {
  addImage,
  flateImage,
  imageDictionary,
  imageFile,
  printedPage,
} from './test-image-files.ts';

afterAll(emptyFolder);

const [WIDTH, HEIGHT] = [1000, 1200];
/** At this width in points, the image has 180 dpi. */
const ACROSS = 400;

/** Returns the page with `count` levels of gray from 0 to `count - 1`. */
const levels = async (count: number) =>
  (await printedPage()).map((value) => Math.min(count - 1, Math.floor((value * count) / 256)));

const file = (
  samples: Uint8Array,
  entries: Record<string, unknown>,
  across = ACROSS,
  change?: (document: PDFDocument, images: PDFRef[]) => void,
) => imageFile([{ image: flateImage(WIDTH, HEIGHT, samples, entries), across }], change);

const indexed = (colors: Uint8Array) => {
  const lookup = Buffer.alloc(3 * 256, 0x55);
  lookup.set(colors);
  const last = lookup.length / 3 - 1;
  return {
    ColorSpace: ['Indexed', 'DeviceRGB', last, PDFHexString.of(lookup.toString('hex'))],
  };
};

const eachAs = (samples: Uint8Array, colors: readonly number[][]) =>
  Buffer.from([...samples].flatMap((sample) => colors[sample]!));

/** Returns the bits per component of the first image. */
const bitsOf = (path: string) =>
  Number(run('pdfimages', '-list', path).split('\n')[2]?.trim().split(/\s+/)[7]);

describe('compress_pdf on images of few colors with eight bits', () => {
  it.each([
    ['gray', [[0], [255]], 'gray'],
    ['gray that is neither black nor white', [[20], [230]], 'index'],
    [
      'RGB',
      [
        [10, 20, 90],
        [250, 240, 230],
      ],
      'index',
    ],
  ])('packs a scan of two colors in %s to one bit', async (kind, colors, packed) => {
    const ColorSpace = kind === 'RGB' ? 'DeviceRGB' : 'DeviceGray';
    const samples = eachAs(await levels(2), colors);
    const path = put('two.pdf', await file(samples, { ColorSpace }));
    const result = await compress(path);
    expect(imagesOf(result.path)).toEqual([`1 image 1000x1200 ${packed} ccitt`]);
    expect(difference(path, result.path)).toBe(0);
  });

  it('packs a scan of two colors with a palette, and keeps the colors', async () => {
    const samples = (await levels(2)).map((level) => level * 7 + 3);
    const colors = Buffer.alloc(3 * 11, 0x77)
      .fill('3060b0', 9, 12, 'hex')
      .fill('f0e8d0', 30, 33, 'hex');
    const path = put('palette.pdf', await file(samples, indexed(colors)));
    const result = await compress(path);
    expect(imagesOf(result.path)).toEqual(['1 image 1000x1200 index ccitt']);
    expect(difference(path, result.path)).toBe(0);
  });

  it('does not blur a scan of 300 dpi, and reduces one of 600 dpi to 300', async () => {
    const samples = (await levels(2)).map((level) => level * 255);
    const gray = { ColorSpace: 'DeviceGray' };
    const path = put('at300.pdf', await file(samples, gray, 240));
    const unreduced = await compress(path);
    expect(imagesOf(unreduced.path)).toEqual(['1 image 1000x1200 gray ccitt']);
    expect(difference(path, unreduced.path)).toBe(0);
    const doubled = await sharp(samples, { raw: { width: WIDTH, height: HEIGHT, channels: 1 } })
      .resize(2 * WIDTH, 2 * HEIGHT, { kernel: 'nearest' })
      .toColorspace('b-w')
      .raw()
      .toBuffer();
    const image = flateImage(2 * WIDTH, 2 * HEIGHT, doubled, gray);
    const reduced = await compress(put('at600.pdf', await imageFile([{ image, across: 240 }])));
    expect(imagesOf(reduced.path)).toEqual(['1 image 1000x1200 gray ccitt']);
    expect(difference(path, reduced.path)).toBeLessThan(6);
  });

  it.each([
    [4, 2],
    [16, 4],
  ])('packs %i colors to %i bits', async (count, bits) => {
    const samples = await levels(count);
    const colors = Buffer.from(
      Array.from({ length: count }, (_, at) => [at * 16, 90, at * 9]).flat(),
    );
    const path = put('few.pdf', await file(samples, indexed(colors)));
    const result = await compress(path);
    expect(bitsOf(result.path)).toBe(bits);
    expect(difference(path, result.path)).toBe(0);
  });

  it('counts the colors that a palette is used for if it reduces a drawing', async () => {
    const colors = Buffer.from(Array.from({ length: 16 }, (_, at) => [at * 16, 90, at * 9]).flat());
    const path = put('long-palette.pdf', await file(await levels(16), indexed(colors), 240));
    const result = await compress(path);
    expect(imagesOf(result.path)).toEqual(['1 image 500x600 index image']);
    expect(bitsOf(result.path)).toBe(4);
    expect(difference(path, result.path)).toBeLessThan(6);
  });

  it.each([
    ['black and white soft mask', [0, 255], 'ccitt'],
    ['translucent soft mask', [0, 128], 'image'],
  ])('packs no soft mask that needs a palette: %s', async (_, values, encoding) => {
    const mask = (await levels(2)).map((level) => values[level]!);
    const soft = flateImage(WIDTH, HEIGHT, mask, { ColorSpace: 'DeviceGray' });
    const gray = Buffer.alloc(WIDTH * HEIGHT, 90);
    const path = put(
      'soft.pdf',
      await file(gray, { ColorSpace: 'DeviceGray' }, ACROSS, (document, [image]) => {
        imageDictionary(document, image!).set(PDFName.of('SMask'), addImage(document, soft));
      }),
    );
    const result = await compress(path);
    expect(imagesOf(result.path)[1]).toBe(`1 smask 1000x1200 gray ${encoding}`);
    expect(difference(path, result.path)).toBe(0);
  });
});
