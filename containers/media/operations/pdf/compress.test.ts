/** compress_pdf in the media worker: real files in, looked at with poppler and qpdf afterwards. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { PDFName, PDFString } from 'pdf-lib';
import { afterAll, describe, expect, it } from 'vitest';
import { compressPdf } from './operations.ts';
import {
  book,
  check,
  distilled,
  operate,
  outlines,
  pageCount,
  put,
  type Ran,
  removeFolder,
  renderings,
  run,
} from './test-files.ts';
import {
  addPicture,
  flatePicture,
  imageDictionary,
  jpegOf,
  jpegPicture,
  type PicturePage,
  photograph,
  pictureFile,
} from './test-picture-files.ts';

afterAll(removeFolder);

/** 300 dpi on 240 points across. */
const scan = async (seed = 1): Promise<PicturePage> => ({
  picture: await jpegPicture(1000, 1200, seed),
  across: 240,
});

const compress = (path: string): Promise<Ran> => operate('compress_pdf', {}, [path]);

/** What pdfimages says of each image: type, size in pixels, colours, encoding. */
const imagesOf = (path: string): string[] =>
  run('pdfimages', '-list', path)
    .split('\n')
    .slice(2)
    .filter((line) => line !== '')
    .map((line) => line.trim().split(/\s+/))
    .map(([page, , type, width, height, color, , , encoding]) =>
      [page, type, `${width}x${height}`, color, encoding].join(' '),
    );

const textOf = (path: string) => run('pdftotext', '-raw', path, '-');

/** The root mean square difference of two renderings, of 255. */
function difference(left: string, right: string): number {
  const pixels = (path: string) =>
    execFileSync('pdftoppm', ['-r', '40', path], { maxBuffer: 1 << 28 });
  const [a, b] = [pixels(left), pixels(right)];
  expect(a.length).toBe(b.length);
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += ((a[index] ?? 0) - (b[index] ?? 0)) ** 2;
  return Math.sqrt(sum / a.length);
}

describe('compress_pdf', () => {
  it('brings photographs of 300 dpi down to 150, and keeps pages, text and look', async () => {
    const path = put('scans.pdf', await pictureFile([await scan(1), await scan(2), await scan(3)]));
    const result = await compress(path);
    expect(result.meta).toEqual({ size: undefined });
    expect(result.bytes.length).toBeLessThan(readFileSync(path).length / 4);
    expect(imagesOf(result.path)).toEqual([
      '1 image 500x600 rgb jpeg',
      '2 image 500x600 rgb jpeg',
      '3 image 500x600 rgb jpeg',
    ]);
    expect(textOf(result.path)).toBe(textOf(path));
    expect(difference(path, result.path)).toBeLessThan(4);
    check(result.path);
  });

  it('takes the resolution from where an image is shown largest', async () => {
    const bytes = await pictureFile([await scan()], (document, [image]) => {
      const page = document.addPage([1200, 1500]);
      page.node.setXObject(PDFName.of('Picture'), image!);
      const draw = document.context.flateStream('q 600 0 0 720 0 0 cm /Picture Do Q');
      page.node.addContentStream(document.context.register(draw));
    });
    const result = await compress(put('large.pdf', bytes));
    expect(imagesOf(result.path)[0]).toContain('1000x1200');
  });

  it('makes a JPEG of a photograph that was kept without loss, and none of a drawing', async () => {
    const pixels = await photograph(1000, 1200, 4);
    const drawing = Buffer.alloc(1000 * 1200 * 3, 255);
    for (let at = 0; at < drawing.length; at += 3 * 37) drawing.fill(0, at, at + 3);
    const space = { ColorSpace: 'DeviceRGB' };
    const path = put(
      'flate.pdf',
      await pictureFile([
        { picture: flatePicture(1000, 1200, pixels, space), across: 240 },
        { picture: flatePicture(1000, 1200, drawing, space), across: 240 },
        await scan(5),
      ]),
    );
    const result = await compress(path);
    const [photo, drawn] = imagesOf(result.path);
    expect(photo).toBe('1 image 500x600 rgb jpeg');
    expect(drawn).not.toContain('jpeg');
    expect(difference(path, result.path)).toBeLessThan(6);
  });

  it('keeps grey images grey, and reads PNG predictors', async () => {
    const grey = await jpegOf(await photograph(1000, 1200, 6), 1000, 1200, 'b-w');
    const rows = Buffer.alloc(1200 * 3001);
    const pixels = await photograph(1000, 1200, 7);
    for (let row = 0; row < 1200; row += 1) {
      rows[row * 3001] = 1;
      for (let at = 0; at < 3000; at += 1) {
        const left = at >= 3 ? pixels[row * 3000 + at - 3]! : 0;
        rows[row * 3001 + 1 + at] = pixels[row * 3000 + at]! - left;
      }
    }
    const predicted = flatePicture(1000, 1200, rows, {
      ColorSpace: 'DeviceRGB',
      DecodeParms: { Predictor: 15, Colors: 3, Columns: 1000 },
    });
    const path = put(
      'grey.pdf',
      await pictureFile([
        {
          picture: {
            width: 1000,
            height: 1200,
            data: grey,
            entries: { ColorSpace: 'DeviceGray', BitsPerComponent: 8, Filter: 'DCTDecode' },
          },
          across: 240,
        },
        { picture: predicted, across: 240 },
      ]),
    );
    const result = await compress(path);
    expect(imagesOf(result.path)).toEqual([
      '1 image 500x600 gray jpeg',
      '2 image 500x600 rgb jpeg',
    ]);
    expect(difference(path, result.path)).toBeLessThan(5);
  });

  it('knows a scan that Tesseract has put a text layer under', async () => {
    const { data } = await jpegPicture(1000, 1200, 19);
    const picture = put('scan.jpg', data);
    const path = picture.replace('.jpg', '-ocr.pdf');
    run('tesseract', picture, path.replace('.pdf', ''), '--dpi', '300', 'pdf');
    const result = await compress(path);
    expect(imagesOf(result.path)).toEqual(['1 image 500x600 rgb jpeg']);
    expect(difference(path, result.path)).toBeLessThan(5);
  });

  it('keeps soft masks with their images', async () => {
    const mask = Buffer.alloc(200 * 240);
    for (let at = 0; at < mask.length; at += 1) mask[at] = at % 200;
    const path = put(
      'masked.pdf',
      await pictureFile([await scan(8)], (document, [image]) => {
        const soft = flatePicture(200, 240, mask, { ColorSpace: 'DeviceGray' });
        imageDictionary(document, image!).set(PDFName.of('SMask'), addPicture(document, soft));
      }),
    );
    const result = await compress(path);
    expect(imagesOf(result.path)).toEqual([
      '1 image 500x600 rgb jpeg',
      '1 smask 200x240 gray image',
    ]);
    expect(difference(path, result.path)).toBeLessThan(4);
  });

  it('never loses a CMYK image, an indexed one, a stencil, a colour key or a mapped one', async () => {
    const pixels = await photograph(1000, 1200, 9);
    const cmyk = await jpegOf(pixels, 1000, 1200, 'cmyk');
    const bytes = Buffer.alloc(1000 * 1200, 0).map((_, at) => (at * 7 + (at >> 10)) & 3);
    const kinds: Record<string, PicturePage> = {};
    const put300 = (name: string, entries: Record<string, unknown>, data: Uint8Array) => {
      kinds[name] = { picture: { width: 1000, height: 1200, entries, data }, across: 240 };
    };
    const flate = (entries: Record<string, unknown>, samples: Uint8Array) =>
      flatePicture(1000, 1200, samples, entries);
    put300('cmyk', { ColorSpace: 'DeviceCMYK', BitsPerComponent: 8, Filter: 'DCTDecode' }, cmyk);
    const palette = PDFString.of('abcdefghijkl');
    kinds.indexed = {
      picture: flate({ ColorSpace: ['Indexed', 'DeviceRGB', 3, palette] }, bytes),
      across: 240,
    };
    kinds.stencil = {
      picture: flate({ ImageMask: true, BitsPerComponent: 1 }, bytes.subarray(0, 125 * 1200)),
      across: 240,
    };
    kinds.keyed = {
      picture: flate({ ColorSpace: 'DeviceRGB', Mask: [20, 50, 155, 185, 85, 120] }, pixels),
      across: 240,
    };
    kinds.mapped = {
      picture: flate({ ColorSpace: 'DeviceRGB', Decode: [1, 0, 1, 0, 1, 0] }, pixels),
      across: 240,
    };
    // What Ghostscript writes rightly comes down to 150 dpi, the rest stays.
    const wanted: Record<string, string> = {
      cmyk: '1 image 500x600 cmyk jpeg',
      indexed: '1 image 1000x1200 index image',
      stencil: '1 stencil 1000x1200 - image',
      keyed: '1 image 1000x1200 rgb image',
      mapped: '1 image 500x600 rgb jpeg',
    };
    for (const [name, page] of Object.entries(kinds)) {
      const path = put(`${name}.pdf`, await pictureFile([page, await scan(10)]));
      const result = await compress(path);
      expect(imagesOf(result.path)).toEqual([wanted[name], '2 image 500x600 rgb jpeg']);
      expect(difference(path, result.path), name).toBeLessThan(5);
      expect(textOf(result.path), name).toBe(textOf(path));
    }
  });

  it('keeps inline images', async () => {
    const path = put(
      'inline.pdf',
      await pictureFile([await scan(18)], (document) => {
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

  it('keeps form fields, attachments, bookmarks and links', async () => {
    const path = put(
      'whole.pdf',
      await pictureFile([await scan(11)], async (document) => {
        const field = document.getForm().createTextField('name');
        field.setText('Jane');
        field.addToPage(document.getPage(0), { x: 300, y: 700, width: 200, height: 20 });
        await document.attach(Buffer.from('attached'), 'note.txt', { mimeType: 'text/plain' });
      }),
    );
    const result = await compress(path);
    expect(imagesOf(result.path)).toEqual(['1 image 500x600 rgb jpeg']);
    expect(run('pdfdetach', '-list', result.path)).toContain('note.txt');
    const forms = JSON.parse(run('qpdf', '--json', '--json-key=acroform', result.path));
    expect(forms.acroform.fields[0].value).toBe(
      'u:Jane'.replace('u:', forms.version > 1 ? 'u:' : ''),
    );
    const plain = book('kept', 6);
    const again = await compress(plain);
    if (again.meta.unchanged === undefined) expect(outlines(again.path)).toEqual(outlines(plain));
    else expect(again.bytes.length).toBe(0);
  });

  it('says why, with no bytes, where nothing can be saved', async () => {
    const once = await compress(put('again.pdf', await pictureFile([await scan(12)])));
    const twice = await compress(once.path);
    expect(twice.bytes.length).toBe(0);
    expect(twice.meta.unchanged).toBe('it is as small as it gets here already');
  });

  it('leaves a signed file as it is', async () => {
    const path = put(
      'signed.pdf',
      await pictureFile([await scan(13)], (document) => {
        const form = document.context.obj({ Fields: [], SigFlags: 3 });
        document.catalog.set(PDFName.of('AcroForm'), form);
      }),
    );
    const result = await compress(path);
    expect(result.meta.unchanged).toContain('digitally signed');
    expect(result.bytes.length).toBe(0);
  });

  it('reads a file encrypted with an empty user password, and refuses one that needs it', async () => {
    const path = put('plain.pdf', await pictureFile([await scan(14)]));
    const empty = path.replace('plain', 'empty');
    run('qpdf', '--encrypt', '', 'owner', '256', '--', path, empty);
    const result = await compress(empty);
    expect(imagesOf(result.path)).toEqual(['1 image 500x600 rgb jpeg']);
    expect(difference(path, result.path)).toBeLessThan(4);
    const locked = path.replace('plain', 'locked');
    run('qpdf', '--encrypt', 'user', 'owner', '256', '--', path, locked);
    await expect(compress(locked)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('"locked.pdf" needs a password'),
    });
  });

  describe('of a picture shown small on the page', () => {
    const large = 'q 480 0 0 576 50 100 cm /Picture Do Q';
    const small = async () => ({ ...(await scan(21)), across: 40 });

    it('keeps what a layer shows large that is off', async () => {
      const content = await pictureFile([await small()], (document) => {
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
      ['is not there', undefined, '83x100'],
    ])('keeps what an annotation shows large that %s', async (_, flags, size) => {
      const content = await pictureFile([await small()], (document, [picture]) => {
        const { context } = document;
        if (flags === undefined) return;
        const appearance = context.flateStream(large, {
          Type: 'XObject',
          Subtype: 'Form',
          BBox: [0, 0, 595, 842],
          Resources: { XObject: { Picture: picture! } },
        });
        const stamp = { Type: 'Annot', Subtype: 'Stamp', Rect: [0, 0, 595, 842], F: flags };
        const annotation = context.obj({ ...stamp, AP: { N: context.register(appearance) } });
        document.getPage(0).node.set(PDFName.of('Annots'), context.obj([annotation]));
      });
      const { path } = await compress(put('stamp.pdf', content));
      expect(imagesOf(path)).toEqual([`1 image ${size} rgb jpeg`]);
    });
  });

  it('refuses what is no PDF, PostScript too, and what is damaged beyond repair', async () => {
    for (const [name, content] of [
      ['photo.pdf', await jpegOf(await photograph(10, 10), 10, 10)],
      ['loop.pdf', '%!PS-Adobe-3.0\n{} loop\n'],
      ['posing.pdf', '%PDF-1.4\n{} loop\n'],
      ['cut.pdf', Buffer.from(await pictureFile([await scan(15)])).subarray(0, 3000)],
    ] as const) {
      await expect(compress(put(name, content)), name).rejects.toMatchObject({ status: 400 });
    }
  });

  it('lets Ghostscript have a go where images are no large part', async () => {
    let text = '';
    for (let line = 0; line < 60; line += 1)
      text += `72 ${720 - line * 10} moveto (line ${line}) show\n`;
    const many = distilled('many', `${text} showpage `.repeat(40));
    const loose = many.replace('many', 'loose');
    run('qpdf', '--stream-data=uncompress', '--object-streams=disable', many, loose);
    const result = await compress(loose);
    expect(result.bytes.length).toBeLessThan(readFileSync(many).length);
    expect(pageCount(result.path)).toBe(40);
    expect(textOf(result.path).replace(/\s/g, '')).toBe(textOf(loose).replace(/\s/g, ''));
    expect(renderings(result.path).length).toBe(40);
  });

  it('ends at once with its caller', async () => {
    const path = put('gone.pdf', await pictureFile([await scan(16), await scan(17)]));
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error('gone')), 150);
    const directory = path.slice(0, path.lastIndexOf('/'));
    const file = { name: 'gone.pdf', size: 1, path };
    const started = performance.now();
    const run = compressPdf.run({}, [file], { directory, signal: stop.signal });
    await expect(run).rejects.toThrow();
    expect(performance.now() - started).toBeLessThan(15_000);
  });
});
