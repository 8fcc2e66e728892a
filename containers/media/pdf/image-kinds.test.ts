/** Tests which images compress_pdf recodes, and which of them require poppler. */
import { PDFName } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import {
  addImage,
  flateImage,
  imageDictionary,
  imageFile,
} from '../operations/pdf/test-image-files.ts';
import { Draft } from './compress/draft.ts';
import { PdfDocument } from './document.ts';
import { drawableImage } from './drawable-image.ts';
import { type PdfReference, PdfStream } from './objects.ts';
import { isWorthRecoding } from './recodable-image.ts';

const GRAY = { ColorSpace: 'DeviceGray' };
/** Noise that Deflate cannot compress below the minimum size of the images that are recoded. */
const SAMPLES = Buffer.from(Array.from({ length: 90 * 90 }, (_, at) => (at * at * 31) >> 7));

async function imageOf(
  entries: Record<string, unknown>,
  change?: Parameters<typeof imageFile>[1],
): Promise<[PdfDocument, PdfReference]> {
  const image = flateImage(90, 90, SAMPLES, entries);
  const document = new PdfDocument(await imageFile([{ image, across: 90 }], change));
  const found = new Draft(document).objects().find(([, value]) => {
    const isImage = value instanceof PdfStream && value.dictionary.has('ColorSpace');
    return isImage && document.resolve(value.dictionary.get('Width')) === 90;
  });
  if (!found) throw new Error('no image');
  return [document, found[0]];
}

describe('a lossless image', () => {
  it('is recompressed from 225 dpi', async () => {
    const [document, image] = await imageOf(GRAY);
    expect(isWorthRecoding(document, image, 224, 'standard')).toBe(false);
    expect(isWorthRecoding(document, image, 225, 'standard')).toBe(true);
  });

  it('is recompressed for a soft mask of higher resolution', async () => {
    const [document, image] = await imageOf(GRAY, (file, [embedded]) => {
      const mask = addImage(file, flateImage(180, 180, Buffer.alloc(180 * 180), GRAY));
      imageDictionary(file, embedded!).set(PDFName.of('SMask'), mask);
    });
    expect(isWorthRecoding(document, image, 112, 'standard')).toBe(false);
    expect(isWorthRecoding(document, image, 113, 'standard')).toBe(true);
  });
});

describe('an image with mapped samples', () => {
  const mapped = { ...GRAY, Decode: [1, 0] };

  it('is converted from 225 dpi', async () => {
    const [document, image] = await imageOf(mapped);
    expect(drawableImage(document, image, 224, 'standard')).toBeUndefined();
    expect(drawableImage(document, image, 225, 'standard')).toMatchObject({
      channels: 1,
      isLossy: false,
    });
  });

  it('is kept in a file with an output intent, which defines its colors', async () => {
    const [document, image] = await imageOf(mapped, ({ catalog, context }) => {
      catalog.set(PDFName.of('OutputIntents'), context.obj([{ Type: 'OutputIntent' }]));
    });
    expect(drawableImage(document, image, 300, 'standard')).toBeUndefined();
  });
});
