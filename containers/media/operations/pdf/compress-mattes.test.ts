import { PDFName } from 'pdf-lib';
import { afterAll, expect, it } from 'vitest';
import { compress, difference, imagesOf } from './test-compress.ts';
import { emptyFolder, put } from './test-files.ts';
import {
  addImage,
  flateImage,
  imageDictionary,
  imageFile,
  photograph,
} from './test-image-files.ts';

afterAll(emptyFolder);

const [WIDTH, HEIGHT] = [1000, 1200];

/** Makes a photo that is transparent outside an ellipse, and blends its colors with white, as Photoshop does. */
async function mattedFile(name: string, across: number, maskWidth = WIDTH): Promise<string> {
  const alphaAt = (x: number, y: number) => {
    const distance = Math.hypot((x - WIDTH / 2) / 400, (y - HEIGHT / 2) / 500);
    return Math.round(255 * Math.min(1, Math.max(0, (1 - distance) * 8)));
  };
  const colors = await photograph(WIDTH, HEIGHT, 8);
  const blended = colors.map((color, at) => {
    const pixel = Math.floor(at / 3);
    const alpha = alphaAt(pixel % WIDTH, Math.floor(pixel / WIDTH)) / 255;
    return Math.round(255 + alpha * (color - 255));
  });
  const alphas = Buffer.from(
    Array.from({ length: maskWidth * HEIGHT }, (_, at) =>
      alphaAt(at % maskWidth, Math.floor(at / maskWidth)),
    ),
  );
  const mask = { ColorSpace: 'DeviceGray', Matte: [1, 1, 1] };
  const image = flateImage(WIDTH, HEIGHT, blended, { ColorSpace: 'DeviceRGB' });
  const bytes = await imageFile([{ image, across }], (document, [reference]) => {
    const soft = addImage(document, flateImage(maskWidth, HEIGHT, alphas, mask));
    imageDictionary(document, reference!).set(PDFName.of('SMask'), soft);
  });
  return put(name, bytes);
}

it('compress_pdf reduces an image that is blended with a matte together with its soft mask', async () => {
  const path = await mattedFile('matte300.pdf', 240);
  const result = await compress(path);
  const [image, mask] = imagesOf(result.path);
  expect(image).toContain('1 image 500x600 rgb');
  expect(mask).toContain('1 smask 500x600 gray');
  expect(result.bytes.toString('latin1')).toContain('/Matte');
  expect(difference(path, result.path)).toBeLessThan(4);
});

it('compress_pdf reduces an image with a matte to a third at most', async () => {
  const result = await compress(await mattedFile('matte1200.pdf', 60));
  expect(imagesOf(result.path)[0]).toContain('1 image 333x400 rgb');
  expect(imagesOf(result.path)[1]).toContain('1 smask 333x400 gray');
});

it('compress_pdf reduces the other images if one with a matte would look different', async () => {
  const alphas = Buffer.from(
    Array.from({ length: WIDTH * HEIGHT }, (_, at) => (at % 4 === 0 ? 255 : 0)),
  );
  const colors = Buffer.from([...alphas].flatMap((alpha) => [255 - alpha, 255, 255 - alpha]));
  const mask = { ColorSpace: 'DeviceGray', Matte: [1, 1, 1] };
  const lines = flateImage(WIDTH, HEIGHT, colors, { ColorSpace: 'DeviceRGB' });
  const photo = flateImage(WIDTH, HEIGHT, await photograph(WIDTH, HEIGHT, 8), {
    ColorSpace: 'DeviceRGB',
  });
  const images = [
    { image: lines, across: 240 },
    { image: photo, across: 240 },
  ];
  const bytes = await imageFile(images, (document, [reference]) => {
    const soft = addImage(document, flateImage(WIDTH, HEIGHT, alphas, mask));
    imageDictionary(document, reference!).set(PDFName.of('SMask'), soft);
  });
  const result = await compress(put('lines.pdf', bytes));
  const sizes = imagesOf(result.path).map((line) => line.split(' ')[2]);
  expect(sizes).toEqual(['1000x1200', '1000x1200', '500x600']);
  expect(result.meta.undone).toEqual(['images with a matte']);
});

it('compress_pdf keeps an image whose matte requires another size', async () => {
  const result = await compress(await mattedFile('matte-odd.pdf', 240, 900));
  expect(imagesOf(result.path)[0]).toContain('1 image 1000x1200 rgb');
});
