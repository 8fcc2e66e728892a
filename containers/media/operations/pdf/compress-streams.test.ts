/** Tests compress_pdf on files that consist mainly of lossless images, numbers with many digits, or color profiles. */
import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { PDFDocument, PDFName, PDFString } from 'pdf-lib';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { TYPE1_CLEAR, TYPE1_PRIVATE, type1Font } from '../../pdf/fonts/test-type1.ts';
import { run } from '../test-operation.ts';
import { compress, difference, imagesOf, scan, textOf } from './test-compress.ts';
import { emptyFolder, put } from './test-files.ts';
import { addImage, flateImage, imageDictionary, imageFile, jpegImage } from './test-image-files.ts';

afterAll(emptyFolder);

/** Returns the samples of the first image. */
const samples = (path: string) => {
  const root = path.replace('.pdf', '-image');
  run('pdfimages', '-png', '-l', '1', path, root);
  return sharp(`${root}-000.png`).raw().toBuffer();
};

async function drawn(
  content: string,
  change?: (document: PDFDocument) => void,
): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const page = document.addPage([300, 300]);
  const stream = document.context.flateStream(content);
  page.node.set(PDFName.of('Contents'), document.context.register(stream));
  change?.(document);
  return document.save({ useObjectStreams: false });
}

const contentOf = (path: string) => run('qpdf', '--qdf', '--object-streams=disable', path, '-');

describe('compress_pdf', () => {
  it('writes lossless images with PNG predictors and the same samples', async () => {
    const gradient = Buffer.alloc(256 * 256 * 3);
    for (let at = 0; at < gradient.length; at += 1) {
      gradient[at] = (at % 3 === 0 ? at / 3 : at / 768) & 255;
    }
    const image = flateImage(256, 256, gradient, { ColorSpace: 'DeviceRGB' });
    const path = put('gradient.pdf', await imageFile([{ image, across: 256 }]));
    const result = await compress(path);
    const plain = deflateSync(gradient, { level: 9 }).length;
    expect(result.bytes.length).toBeLessThan(plain / 2);
    expect((await samples(result.path)).equals(await samples(path))).toBe(true);
  });

  it('writes one-bit images and stencils as CCITT Group 4 with the same bits', async () => {
    const lines = Array.from({ length: 30 }, (_, line) => {
      const words = Buffer.from(`line ${line * 7919} of a letter`).toString('base64');
      return `<text x="40" y="${(line + 1) * 38}" font-size="30">${words}</text>`;
    });
    const page = `<svg xmlns="http://www.w3.org/2000/svg" width="995" height="1200">${lines.join('')}</svg>`;
    const letter = sharp(Buffer.from(page)).flatten({ background: 'white' });
    const ink = await letter.toColorspace('b-w').raw().toBuffer();
    const bits = Buffer.alloc(125 * 1200, 255);
    for (const [at, value] of ink.entries()) {
      const x = at % 995;
      if (value < 128) bits[Math.floor(at / 995) * 125 + (x >> 3)]! &= ~(128 >> (x & 7));
    }
    for (const kind of [{ ColorSpace: 'DeviceGray' }, { ImageMask: true }]) {
      const image = flateImage(995, 1200, bits, { ...kind, BitsPerComponent: 1 });
      const path = put('bits.pdf', await imageFile([{ image, across: 240 }]));
      const result = await compress(path);
      expect(imagesOf(result.path)[0]).toContain('ccitt');
      expect((await samples(result.path)).equals(await samples(path))).toBe(true);
    }
  });

  it('reduces the soft masks of images, and JPEGs behind other filters', async () => {
    const mask = Buffer.alloc(1000 * 1200, 0).map((_, at) => ((at % 1000) / 4) & 255);
    const { image, across } = await scan(8);
    const packed = {
      ...image,
      data: deflateSync(image.data),
      entries: { ...image.entries, Filter: ['FlateDecode', 'DCTDecode'] },
    };
    const path = put(
      'masked.pdf',
      await imageFile([{ image: packed, across }], (document, [shown]) => {
        const soft = flateImage(1000, 1200, mask, { ColorSpace: 'DeviceGray' });
        imageDictionary(document, shown!).set(PDFName.of('SMask'), addImage(document, soft));
      }),
    );
    const result = await compress(path);
    expect(imagesOf(result.path).map((line) => line.slice(0, 15))).toEqual([
      '1 image 500x600',
      '1 smask 500x600',
    ]);
    expect(difference(path, result.path)).toBeLessThan(4);
  });

  it('removes editor metadata inside a JPEG', async () => {
    const image = await jpegImage(300, 300);
    const junk = randomBytes(20_000);
    const segment = Buffer.concat([Buffer.from([0xff, 0xed, 0x4e, 0x22]), junk]);
    const bytes = Buffer.from(image.data);
    const data = Buffer.concat([bytes.subarray(0, 2), segment, bytes.subarray(2)]);
    const path = put('junk.pdf', await imageFile([{ image: { ...image, data }, across: 300 }]));
    const result = await compress(path);
    expect(result.bytes.includes(junk)).toBe(false);
    expect(difference(path, result.path)).toBeLessThan(4);
  });

  it('writes no more digits than a page can show, and changes nothing else', async () => {
    const lines = Array.from(
      { length: 400 },
      (_, at) => `${100 * Math.abs(Math.sin(at))} ${at * 0.7123456789} l`,
    );
    const text = '(0.123456789) pop <30> pop /N0.123456789 pop [(a0.123456789) 5.000000000] pop';
    const map = '1 0 0 1 -4512345.125 0 cm 4512345.125000 0.000000001 m';
    const content = `${text}\n0 0 m\n${lines.join('\n')}\nS\n${map}\n4512445.1256789 50 l S`;
    const path = put('digits.pdf', await drawn(content));
    const result = await compress(path);
    expect(result.meta.saved).toMatchObject({ content: expect.any(Number) });
    expect(difference(path, result.path)).toBeLessThan(0.5);
    const written = contentOf(result.path);
    expect(written).toContain('(0.123456789) pop (0) pop /N0.123456789 pop [(a0.123456789) 5]');
    expect(written).toContain('-4512345.125 0 cm 4512345.125 .000000001 m');
    expect(written).toContain('4512445.126 50 l');
  });

  it('compresses pages whose size has many digits, such as slides of LibreOffice', async () => {
    const lines = Array.from({ length: 400 }, (_, at) => `${at} ${at % 7} l`).join('\n');
    const bytes = await drawn(`0 0 m\n${lines}\nS`, (document) => {
      document.getPage(0).setSize(793.700787401575, 446.456692913386);
      document.catalog.set(PDFName.of('PieceInfo'), PDFString.of('x'.repeat(5000)));
    });
    const result = await compress(put('slide.pdf', bytes));
    expect(result.meta.undone).toEqual([]);
    expect(result.bytes.length).toBeLessThan(bytes.length / 2);
  });

  it('keeps content with inline images unchanged', async () => {
    const line = Array.from({ length: 300 }, (_, at) => `0 ${at * 0.123456789} l`).join('\n');
    const image = 'BI /W 1 /H 1 /CS /G /BPC 8 ID 1.23456789 EI';
    const path = put('inline-digits.pdf', await drawn(`0 0 m\n${line}\nS\n${image}`));
    expect(contentOf((await compress(path)).path)).toContain('0.123456789 l');
  });

  it('reduces a color profile to the parts needed for display', async () => {
    const { icc } = await sharp({
      create: { width: 1, height: 1, channels: 3, background: 'red' },
    })
      .withIccProfile('srgb')
      .jpeg()
      .toBuffer()
      .then((bytes) => sharp(bytes).metadata());
    const image = await jpegImage(200, 200);
    const path = put(
      'profile.pdf',
      await imageFile([{ image, across: 200 }], (document, [shown]) => {
        const profile = document.context.flateStream(new Uint8Array(icc!), { N: 3 });
        const space = document.context.obj(['ICCBased', document.context.register(profile)]);
        imageDictionary(document, shown!).set(PDFName.of('ColorSpace'), space);
      }),
    );
    const result = await compress(path);
    expect(result.meta.saved).toMatchObject({ 'color profiles': expect.any(Number) });
    expect(difference(path, result.path)).toBeLessThan(2);
    expect(run('pdfimages', '-list', result.path)).toContain(' icc ');
  });

  it.each([
    ['replaces', '1 0 0 rg 0 0 9 9 re f', 3],
    ['keeps', '0 1 0 0 k 0 0 9 9 re f', 4],
  ])('%s the CMYK output intent of a document that draws %s', async (_, content, components) => {
    const press = randomBytes(60_000);
    press.write('CMYK', 16);
    press.write('acsp', 36);
    const path = put(
      'intent.pdf',
      await drawn(content, ({ context, catalog }) => {
        catalog.set(PDFName.of('Lang'), PDFString.of('en'.padEnd(400, '-x')));
        const profile = context.register(context.flateStream(new Uint8Array(press), { N: 4 }));
        const identifier = PDFString.of('FOGRA39');
        const intent = { Type: 'OutputIntent', S: 'GTS_PDFA1', DestOutputProfile: profile };
        const intents = [{ ...intent, OutputConditionIdentifier: identifier }];
        catalog.set(PDFName.of('OutputIntents'), context.obj(intents));
      }),
    );
    const result = await compress(path);
    expect(contentOf(result.path)).toMatch(new RegExp(`/N ${components}\\b`));
    expect(result.bytes.length < 10_000).toBe(components === 3);
    expect(difference(path, result.path)).toBe(0);
  });

  it('keeps the name of a standard font without widths, because readers look it up', async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([300, 300]);
    const { context } = document;
    const file = context.flateStream(new Uint8Array(type1Font(TYPE1_CLEAR, TYPE1_PRIVATE)));
    const descriptor = { Type: 'FontDescriptor', FontName: 'Symbol', Flags: 4 };
    const embedded = context.obj({ ...descriptor, FontFile: context.register(file) });
    const font = context.obj({
      Type: 'Font',
      Subtype: 'Type1',
      BaseFont: 'Symbol',
      FontDescriptor: context.register(embedded),
    });
    page.node.setFontDictionary(PDFName.of('F1'), context.register(font) as never);
    const stream = context.flateStream('BT /F1 20 Tf 10 20 Td [(A)521(A)(B)521(A)] TJ ET');
    page.node.set(PDFName.of('Contents'), context.register(stream));
    const path = put('named.pdf', await document.save({ useObjectStreams: false }));
    const result = await compress(path);
    expect(result.meta.undone).toEqual([]);
    expect(run('pdffonts', result.path)).toMatch(/^Symbol +Type 1C/m);
    expect(textOf(result.path)).toBe(textOf(path));
  });
});
