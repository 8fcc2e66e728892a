/** Tests which lossless images compress_pdf converts to JPEG if their resolution is not reduced. */
import { PDFName } from 'pdf-lib';
import { afterAll, describe, expect, it } from 'vitest';
import { compress, difference, imagesOf, textOf } from './test-compress.ts';
import { emptyFolder, put } from './test-files.ts';
import {
  addImage,
  flateImage,
  type ImagePage,
  imageDictionary,
  imageFile,
  photograph,
} from './test-image-files.ts';

afterAll(emptyFolder);

const [WIDTH, HEIGHT] = [300, 360];
/** The displayed width in points, which results in a resolution of 100 dpi. */
const ACROSS = 216;
const RGB = { ColorSpace: 'DeviceRGB' };
const GRAY = { ColorSpace: 'DeviceGray' };

const page = (samples: Uint8Array, entries: Record<string, unknown>): ImagePage => ({
  image: flateImage(WIDTH, HEIGHT, samples, entries),
  across: ACROSS,
});

const grayOf = (pixels: Uint8Array) => pixels.filter((_, at) => at % 3 === 0);

/** Adds PNG predictors to rows of RGB samples. */
function predicted(pixels: Buffer): Buffer {
  const length = WIDTH * 3;
  const rows = Array.from({ length: HEIGHT }, (_, row) => {
    const line = pixels.subarray(row * length, (row + 1) * length);
    return [1, ...line.map((value, at) => value - (at < 3 ? 0 : line[at - 3]!))];
  });
  return Buffer.from(rows.flat());
}

describe('compress_pdf', () => {
  it('converts lossless photos of a low resolution to JPEG at both levels', async () => {
    const pixels = await photograph(WIDTH, HEIGHT, 41);
    const parameters = { Predictor: 15, Colors: 3, Columns: WIDTH };
    const bytes = await imageFile([
      page(pixels, RGB),
      page(grayOf(pixels), GRAY),
      page(predicted(pixels), { ...RGB, DecodeParms: parameters }),
    ]);
    const path = put('photos.pdf', bytes);
    for (const level of ['standard', 'strong']) {
      const result = await compress(path, { level });
      expect(imagesOf(result.path)).toEqual([
        '1 image 300x360 rgb jpeg',
        '2 image 300x360 gray jpeg',
        '3 image 300x360 rgb jpeg',
      ]);
      expect(result.meta.undone).toEqual([]);
      expect(result.bytes.length).toBeLessThan(bytes.length / 4);
      expect(difference(path, result.path)).toBeLessThan(3);
      expect(textOf(result.path)).toBe(textOf(path));
    }
  });

  it('keeps screenshots, dithered graphics, smooth gradients and small photos lossless', async () => {
    const pixels = await photograph(WIDTH, HEIGHT, 42);
    const screenshot = Buffer.from(pixels).fill(255, 0, WIDTH * HEIGHT);
    const dithered = pixels.map((value, at) => ((value + ((at * 7919) % 64)) >> 6) * 85);
    const gradient = Buffer.alloc(WIDTH * HEIGHT * 3).map((_, at) => (at / WIDTH / 3) & 255);
    const small = await photograph(60, 72, 43);
    const path = put(
      'graphics.pdf',
      await imageFile([
        page(screenshot, RGB),
        page(dithered, RGB),
        page(grayOf(dithered), GRAY),
        page(gradient, RGB),
        { image: flateImage(60, 72, small, RGB), across: 43 },
      ]),
    );
    const result = await compress(path);
    expect(imagesOf(result.path).filter((image) => image.includes('jpeg'))).toEqual([]);
    expect(difference(path, result.path)).toBe(0);
  });

  it('keeps the soft mask of a photo lossless', async () => {
    const pixels = await photograph(WIDTH, HEIGHT, 44);
    const bytes = await imageFile([page(pixels, RGB)], (document, [image]) => {
      const mask = addImage(document, flateImage(WIDTH, HEIGHT, grayOf(pixels), GRAY));
      imageDictionary(document, image!).set(PDFName.of('SMask'), mask);
    });
    const result = await compress(put('soft.pdf', bytes));
    expect(imagesOf(result.path)).toEqual([
      '1 image 300x360 rgb jpeg',
      '1 smask 300x360 gray image',
    ]);
  });
});
