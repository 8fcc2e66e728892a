import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { type PDFDocument, PDFHexString, PDFName, PDFString } from 'pdf-lib';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../test-operation.ts';
import { compress, difference, imagesOf, scan, textOf } from './test-compress.ts';
import { emptyFolder, put } from './test-files.ts';
import {
  addImage,
  flateImage,
  type ImagePage,
  imageDictionary,
  imageFile,
  jpegImage,
  jpegOf,
  photograph,
  printedPage,
} from './test-image-files.ts';
import * as look from './test-looks.ts';

afterAll(emptyFolder);

describe('compress_pdf', () => {
  it('reduces photos of 300 dpi to 150, and keeps pages, text and appearance', async () => {
    const path = put('scans.pdf', await imageFile([await scan(1), await scan(2), await scan(3)]));
    const result = await compress(path);
    expect(result.meta).toMatchObject({ saved: { images: expect.any(Number) }, undone: [] });
    expect(result.bytes.length).toBeLessThan(readFileSync(path).length / 4);
    expect(imagesOf(result.path)).toEqual([
      '1 image 500x600 rgb jpeg',
      '2 image 500x600 rgb jpeg',
      '3 image 500x600 rgb jpeg',
    ]);
    expect(textOf(result.path)).toBe(textOf(path));
    expect(difference(path, result.path)).toBeLessThan(4);
    look.check(result.path);
  });

  it('uses the resolution of the largest display of an image', async () => {
    const bytes = await imageFile([await scan()], (document, [image]) => {
      const page = document.addPage([1200, 1500]);
      page.node.setXObject(PDFName.of('Picture'), image!);
      const draw = document.context.flateStream('q 600 0 0 720 0 0 cm /Picture Do Q');
      page.node.addContentStream(document.context.register(draw));
    });
    const result = await compress(put('large.pdf', bytes));
    expect(imagesOf(result.path)[0]).toContain('1000x1200');
  });

  it('converts a lossless photo to JPEG, but not a drawing', async () => {
    const pixels = await photograph(1000, 1200, 4);
    const drawing = Buffer.alloc(1000 * 1200 * 3, 255);
    for (let at = 0; at < drawing.length; at += 3 * 37) drawing.fill(0, at, at + 3);
    const space = { ColorSpace: 'DeviceRGB' };
    const path = put(
      'flate.pdf',
      await imageFile([
        { image: flateImage(1000, 1200, pixels, space), across: 240 },
        { image: flateImage(1000, 1200, drawing, space), across: 240 },
        await scan(5),
      ]),
    );
    const result = await compress(path);
    const [photo, drawn] = imagesOf(result.path);
    expect(photo).toBe('1 image 500x600 rgb jpeg');
    expect(drawn).not.toContain('jpeg');
    expect(difference(path, result.path)).toBeLessThan(6);
  });

  it('keeps gray images gray, and decodes PNG predictors', async () => {
    const gray = await jpegOf(await photograph(1000, 1200, 6), 1000, 1200, 'b-w');
    const rows = Buffer.alloc(1200 * 3001);
    const pixels = await photograph(1000, 1200, 7);
    for (let row = 0; row < 1200; row += 1) {
      rows[row * 3001] = 1;
      for (let at = 0; at < 3000; at += 1) {
        const left = at >= 3 ? pixels[row * 3000 + at - 3]! : 0;
        rows[row * 3001 + 1 + at] = pixels[row * 3000 + at]! - left;
      }
    }
    const predicted = flateImage(1000, 1200, rows, {
      ColorSpace: 'DeviceRGB',
      DecodeParms: { Predictor: 15, Colors: 3, Columns: 1000 },
    });
    const path = put(
      'gray.pdf',
      await imageFile([
        {
          image: {
            width: 1000,
            height: 1200,
            data: gray,
            entries: { ColorSpace: 'DeviceGray', BitsPerComponent: 8, Filter: 'DCTDecode' },
          },
          across: 240,
        },
        { image: predicted, across: 240 },
      ]),
    );
    const result = await compress(path);
    expect(imagesOf(result.path)).toEqual([
      '1 image 500x600 gray jpeg',
      '2 image 500x600 rgb jpeg',
    ]);
    expect(difference(path, result.path)).toBeLessThan(5);
  });

  it('recognizes a scan with a text layer added by Tesseract', async () => {
    const { data } = await jpegImage(1000, 1200, 19);
    const image = put('scan.jpg', data);
    const path = image.replace('.jpg', '-ocr.pdf');
    run('tesseract', image, path.replace('.pdf', ''), '--dpi', '300', 'pdf');
    const result = await compress(path);
    expect(imagesOf(result.path)).toEqual(['1 image 500x600 rgb jpeg']);
    expect(difference(path, result.path)).toBeLessThan(5);
  });

  it('keeps soft masks with their images', async () => {
    const mask = Buffer.alloc(200 * 240);
    for (let at = 0; at < mask.length; at += 1) mask[at] = at % 200;
    const path = put(
      'masked.pdf',
      await imageFile([await scan(8)], (document, [image]) => {
        const soft = flateImage(200, 240, mask, { ColorSpace: 'DeviceGray' });
        imageDictionary(document, image!).set(PDFName.of('SMask'), addImage(document, soft));
      }),
    );
    const result = await compress(path);
    expect(imagesOf(result.path)).toEqual([
      '1 image 500x600 rgb jpeg',
      '1 smask 200x240 gray image',
    ]);
    expect(difference(path, result.path)).toBeLessThan(4);
  });

  it('reduces an image whose soft mask has a matte if the mask hides nothing', async () => {
    // Photoshop writes masks with a TIFF predictor: each sample is the difference from the previous one.
    const row = Buffer.alloc(1000).fill(255, 0, 1);
    const white = Buffer.concat(Array.from({ length: 1200 }, () => row));
    const masked = async (name: string, mask: Buffer) =>
      put(
        name,
        await imageFile([await scan(8)], (document, [image]) => {
          const soft = flateImage(1000, 1200, mask, {
            ColorSpace: 'DeviceGray',
            Matte: [1, 1, 1],
            DecodeParms: { Predictor: 2, Columns: 1000 },
          });
          imageDictionary(document, image!).set(PDFName.of('SMask'), addImage(document, soft));
        }),
      );
    const path = await masked('matte.pdf', white);
    const result = await compress(path);
    const reduced = ['1 image 500x600 rgb jpeg', '1 smask 1000x1200 gray image'];
    expect(imagesOf(result.path)).toEqual(reduced);
    expect(difference(path, result.path)).toBeLessThan(4);
    const hiding = await masked('hiding-matte.pdf', Buffer.concat([Buffer.alloc(1000), white]));
    expect(imagesOf((await compress(hiding)).path)).not.toEqual(reduced);
  });

  it('reduces CMYK, indexed, mapped and JPEG 2000 images, and keeps stencils and color keys', async () => {
    const pixels = await photograph(1000, 1200, 9);
    const cmyk = await jpegOf(pixels, 1000, 1200, 'cmyk');
    const bytes = Buffer.alloc(1000 * 1200, 0).map((_, at) => (at * 7 + (at >> 10)) & 3);
    const kinds: Record<string, ImagePage> = {};
    const put300 = (name: string, entries: Record<string, unknown>, data: Uint8Array) => {
      kinds[name] = { image: { width: 1000, height: 1200, entries, data }, across: 240 };
    };
    const flate = (entries: Record<string, unknown>, samples: Uint8Array) =>
      flateImage(1000, 1200, samples, entries);
    put300('cmyk', { ColorSpace: 'DeviceCMYK', BitsPerComponent: 8, Filter: 'DCTDecode' }, cmyk);
    const palette = PDFString.of('abcdefghijkl');
    kinds.indexed = {
      image: flate({ ColorSpace: ['Indexed', 'DeviceRGB', 3, palette] }, bytes),
      across: 240,
    };
    const levels = pixels.filter((_, at) => at % 3 === 0).map((value) => (value >> 4) & 14);
    const greens = Buffer.from(Array.from({ length: 16 }, (_, at) => [at, at * 16, at]).flat());
    const space = ['Indexed', 'DeviceRGB', 15, PDFHexString.of(greens.toString('hex'))];
    kinds.drawing = { image: flate({ ColorSpace: space }, levels), across: 240 };
    kinds.stencil = {
      image: flate({ ImageMask: true, BitsPerComponent: 1 }, bytes.subarray(0, 125 * 1200)),
      across: 240,
    };
    kinds.keyed = {
      image: flate({ ColorSpace: 'DeviceRGB', Mask: [20, 50, 155, 185, 85, 120] }, pixels),
      across: 240,
    };
    kinds.mapped = {
      image: flate({ ColorSpace: 'DeviceRGB', Decode: [1, 0, 1, 0, 1, 0] }, pixels),
      across: 240,
    };
    const raw = put('pixels.rgb', pixels);
    const jpeg2000 = raw.replace('.rgb', '.jp2');
    const format = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', '1000x1200'];
    run('ffmpeg', '-v', 'error', ...format, '-i', raw, '-c:v', 'jpeg2000', '-q:v', '4', jpeg2000);
    put300('jpeg2000', { Filter: 'JPXDecode' }, readFileSync(jpeg2000));
    const wanted: Record<string, string> = {
      cmyk: '1 image 500x600 rgb jpeg',
      indexed: '1 image 1000x1200 index image',
      drawing: '1 image 500x600 index image',
      stencil: '1 stencil 1000x1200 - image',
      keyed: '1 image 1000x1200 rgb image',
      mapped: '1 image 500x600 rgb jpeg',
      jpeg2000: '1 image 500x600 rgb jpeg',
    };
    const linked = (document: PDFDocument) => {
      const link = document.context.obj({ Type: 'Annot', Subtype: 'Link', Rect: [0, 0, 9, 9] });
      document.getPage(0).node.set(PDFName.of('Annots'), document.context.obj([link]));
    };
    for (const [name, page] of Object.entries(kinds)) {
      const path = put(`${name}.pdf`, await imageFile([page, await scan(10)], linked));
      const result = await compress(path);
      expect(imagesOf(result.path)).toEqual([wanted[name], '2 image 500x600 rgb jpeg']);
      expect(difference(path, result.path), name).toBeLessThan(5);
      expect(textOf(result.path), name).toBe(textOf(path));
    }
  });

  it('reduces one-bit images of 600 dpi to 300, and rewrites fax images of Group 3 as Group 4', async () => {
    const pixels = await printedPage();
    const rows = Buffer.alloc(125 * 1200);
    for (const [at, pixel] of pixels.entries()) if (pixel > 127) rows[at >> 3]! |= 0x80 >> (at & 7);
    const entries = { ColorSpace: 'DeviceGray', BitsPerComponent: 1 };
    const image = flateImage(1000, 1200, rows, entries);
    const fine = put('fine.pdf', await imageFile([{ image, across: 120 }]));
    const wide = put('wide.pdf', await imageFile([{ image, across: 240 }]));
    const fax = wide.replace('wide', 'fax');
    const parameters =
      '<< /MonoImageDict << /K 0 >> /DownsampleMonoImages false >> setdistillerparams';
    run('gs', '-q', '-sDEVICE=pdfwrite', '-o', fax, '-c', parameters, '-f', wide);
    const coarse = await compress(fine);
    expect(imagesOf(coarse.path)).toEqual(['1 image 500x600 gray ccitt']);
    const sent = await compress(fax);
    expect(imagesOf(sent.path)).toEqual(['1 image 1000x1200 gray ccitt']);
    expect(sent.meta).toMatchObject({ saved: { images: expect.any(Number) } });
    for (const [before, after] of [
      [fine, coarse.path],
      [fax, sent.path],
    ] as const) {
      expect(difference(before, after)).toBeLessThan(12);
    }
  });

  it('reduces large inline images with their color spaces, and keeps small ones', async () => {
    const [side, bits] = [600, 1200];
    const [jpeg, gray] = [await photograph(side, side, 31), await photograph(side, side, 32)];
    const begin = (width: number, entries: string) =>
      Buffer.from(`BI /W ${width} /H ${width} ${entries} ID `);
    const draw = (x: number, y: number, ...image: Uint8Array[]) => [
      Buffer.from(`q 144 0 0 144 ${x} ${y} cm `),
      ...image,
      Buffer.from('\nEI Q\n'),
    ];
    // The stripes are black and white, with one bit per pixel.
    const stripes = Buffer.alloc((bits / 8) * bits, Buffer.from([0xf0, 0x3c, 0xff, 0x0f, 0x81]));
    const indices = Buffer.from(
      gray.filter((_, index) => index % 3 === 0).map((value) => value >> 6),
    );
    const content = Buffer.concat([
      ...draw(50, 500, begin(side, '/BPC 8 /CS /RGB /F /DCT'), await jpegOf(jpeg, side, side)),
      ...draw(250, 500, begin(side, '/BPC 8 /CS /RGB /F [/Fl]'), deflateSync(gray)),
      ...draw(50, 300, begin(side, '/BPC 8 /CS /Named /F /Fl'), deflateSync(indices)),
      ...draw(250, 300, begin(bits, '/BPC 1 /CS /G'), stripes),
      ...draw(50, 100, begin(2, '/BPC 8 /CS /G /F /AHx'), Buffer.from('00FF7F20>')),
    ]);
    const path = put(
      'inline-large.pdf',
      await imageFile([], (document) => {
        const { context } = document;
        for (let count = 0; count < 2; count += 1) {
          const page = document.addPage([450, 700]);
          const palette = ['Indexed', 'DeviceRGB', 3, PDFHexString.of('000000C02020208020FFFFFF')];
          page.node.set(PDFName.of('Resources'), context.obj({ ColorSpace: { Named: palette } }));
          page.node.addContentStream(context.register(context.flateStream(content)));
        }
      }),
    );
    const result = await compress(path);
    const onPage = [
      'image 300x300 rgb jpeg',
      'image 300x300 rgb jpeg',
      'image 300x300 rgb jpeg',
      'image 1200x1200 gray ccitt',
      'image 2x2 gray image',
    ];
    expect(imagesOf(result.path)).toEqual(
      [1, 2].flatMap((page) => onPage.map((line) => `${page} ${line}`)),
    );
    expect(result.bytes.length).toBeLessThan(readFileSync(path).length / 10);
    expect(difference(path, result.path)).toBeLessThan(6);
    look.check(result.path);
  });

  it('keeps a page with inline images whose ends cannot be determined', async () => {
    const noise = Buffer.concat([Buffer.alloc(5000, 0x80), Buffer.from(' EI Q 1 0 0 RG ')]);
    const path = put(
      'inline-odd.pdf',
      await imageFile([await scan(33)], (document) => {
        const head = Buffer.from('q 90 0 0 90 300 500 cm BI /W 71 /H 71 /CS /G /BPC 8 ID ');
        const draw = Buffer.concat([head, noise, Buffer.alloc(26, 0x40), Buffer.from('\nEI Q')]);
        const { context } = document;
        document.getPage(0).node.addContentStream(context.register(context.flateStream(draw)));
      }),
    );
    const result = await compress(path);
    expect(imagesOf(result.path)[0]).toContain('500x600');
    expect(difference(path, result.path)).toBeLessThan(4);
    look.check(result.path);
  });

  it('keeps inline images', async () => {
    const path = put(
      'inline.pdf',
      await imageFile([await scan(18)], (document) => {
        const draw =
          'q 200 0 0 200 300 500 cm BI /W 2 /H 2 /CS /G /BPC 8 /F /AHx ID 00FF7F20> EI Q';
        const marks = document.context.register(document.context.flateStream(draw));
        document.getPage(0).node.addContentStream(marks);
      }),
    );
    const result = await compress(path);
    expect(imagesOf(result.path).map((line) => line.slice(0, 15))).toEqual([
      '1 image 500x600',
      '1 image 2x2 gra',
    ]);
    expect(difference(path, result.path)).toBeLessThan(4);
  });

  describe('an image displayed small on the page', () => {
    const large = 'q 480 0 0 576 50 100 cm /Picture Do Q';
    const small = async () => ({ ...(await scan(21)), across: 40 });

    it('keeps the resolution that a disabled layer needs', async () => {
      const content = await imageFile([await small()], (document) => {
        const { context, catalog } = document;
        const layer = context.register(context.obj({ Type: 'OCG', Name: PDFString.of('large') }));
        const layers = { OCGs: [layer], D: { OFF: [layer], Order: [layer] } };
        catalog.set(PDFName.of('OCProperties'), context.obj(layers));
        const { node } = document.getPage(0);
        node.Resources()?.set(PDFName.of('Properties'), context.obj({ Large: layer }));
        const marks = context.flateStream(`/OC /Large BDC ${large} EMC`);
        node.addContentStream(context.register(marks));
      });
      const { path } = await compress(put('layer.pdf', content));
      expect(imagesOf(path)).toEqual(['1 image 1000x1200 rgb jpeg']);
    });

    it.each([
      ['is hidden', 2, '1000x1200'],
      ['is for print only', 36, '1000x1200'],
      ['does not exist', undefined, '83x100'],
    ])('keeps the resolution needed by an annotation that %s', async (_, flags, size) => {
      const content = await imageFile([await small()], (document, [image]) => {
        const { context } = document;
        if (flags === undefined) return;
        const appearance = context.flateStream(large, {
          Type: 'XObject',
          Subtype: 'Form',
          BBox: [0, 0, 595, 842],
          Resources: { XObject: { Image: image! } },
        });
        const stamp = { Type: 'Annot', Subtype: 'Stamp', Rect: [0, 0, 595, 842], F: flags };
        const annotation = context.obj({ ...stamp, AP: { N: context.register(appearance) } });
        document.getPage(0).node.set(PDFName.of('Annots'), context.obj([annotation]));
      });
      const { path } = await compress(put('stamp.pdf', content));
      expect(imagesOf(path)).toEqual([`1 image ${size} rgb jpeg`]);
    });
  });
});
