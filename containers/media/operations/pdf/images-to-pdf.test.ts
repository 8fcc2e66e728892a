import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { emptyFolder, folder, scene } from '../image/test-images.ts';
import { run } from '../test-operation.ts';
import {
  digest,
  extracted,
  make,
  type Named,
  offFrom,
  pageSizes,
  pdf,
  rendered,
} from './test-image-pdfs.ts';

afterAll(emptyFolder);

describe('images_to_pdf', () => {
  it('creates one page per image in the given order', async () => {
    const files: Named[] = [];
    for (const [index, width] of [30, 10, 20].entries()) {
      files.push([`${index}.png`, await scene(width, 40).png().toBuffer()]);
    }
    const { path, contentType } = await make(files);
    expect(contentType).toBe('application/pdf');
    expect(pageSizes(path)).toEqual([
      [30, 40],
      [10, 40],
      [20, 40],
    ]);
  });

  it('turns the paper for wide images, after their orientation is applied, if asked to', async () => {
    const wide = await scene(90, 60).png().toBuffer();
    const upright = await scene(90, 60).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const files: Named[] = [
      ['a.png', wide],
      ['b.jpg', upright],
    ];
    const options = { pageSize: 'letter', orientation: 'auto', margin: 36 };
    expect(pageSizes((await make(files, options)).path)).toEqual([
      [792, 612],
      [612, 792],
    ]);
    expect(pageSizes((await make([files[0]!], { pageSize: 'letter' })).path)).toEqual([[612, 792]]);
  });

  it('starts no PDF process for images only', async () => {
    const readers = () =>
      run('ps', '-o', 'args=', '--ppid', `${process.pid}`).match(/document-process/g);
    const image = await scene(30, 40).png().toBuffer();
    await make([['a.png', image]]);
    expect(readers()).toBeNull();
    await make([
      ['a.png', image],
      ['b.pdf', pdf('read', [101])],
    ]);
    expect(readers()).not.toBeNull();
  });

  it('accepts 100 files', async () => {
    const one = await scene(30, 40).jpeg().toBuffer();
    const { path } = await make(Array.from({ length: 100 }, (_, index) => [`${index}.jpg`, one]));
    expect(pageSizes(path).length).toBe(100);
  });
});

describe('images_to_pdf embeds JPEG', () => {
  it('re-encoded if a second image starts before the end of the first', async () => {
    const jpeg = await scene(60, 40).jpeg().toBuffer();
    const joined = Buffer.concat([jpeg.subarray(0, -2), jpeg]);
    const { path } = await make([['joined.jpg', joined]]);
    expect(run('pdfimages', '-list', path)).not.toContain('jpeg');
    expect(pageSizes(path)).toEqual([[60, 40]]);
  });

  it.each([
    ['baseline', {}],
    ['progressive', { progressive: true }],
    ['optimized by mozjpeg', { mozjpeg: true }],
  ])('%s with its original bytes', async (_, options) => {
    const bytes = await scene(120, 80).withMetadata({ orientation: 6 }).jpeg(options).toBuffer();
    const { path } = await make([['a.jpg', bytes]], { pageSize: 'a4' });
    const [image] = extracted(path);
    expect(image?.name).toMatch(/\.jpg$/);
    expect(digest(image?.bytes ?? Buffer.alloc(0))).toBe(digest(bytes));
  });

  it('gray, CMYK and with a color profile, with the right colors', async () => {
    const gray = await scene(60, 40).toColorspace('b-w').jpeg({ quality: 95 }).toBuffer();
    const wide = await scene(60, 40).withIccProfile('p3').jpeg({ quality: 95 }).toBuffer();
    for (const bytes of [gray, wide]) {
      const { path } = await make([['a.jpg', bytes]]);
      expect(await offFrom(bytes, path)).toBeLessThan(bytes === gray ? 1 : 12);
      expect(digest(extracted(path)[0]?.bytes ?? Buffer.alloc(0))).toBe(digest(bytes));
    }
    const cmyk = await scene(60, 40).toColorspace('cmyk').jpeg({ quality: 95 }).toBuffer();
    const { path } = await make([['a.jpg', cmyk]]);
    expect(run('pdfimages', '-list', path)).toMatch(/cmyk|icc +4/);
    expect(await offFrom(await scene(60, 40).png().toBuffer(), path)).toBeLessThan(45);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('upright with EXIF orientation %i', async (orientation) => {
    const upright = orientation > 4 ? [60, 90] : [90, 60];
    for (const kind of ['jpeg', 'png'] as const) {
      const bytes = await scene(90, 60).withMetadata({ orientation })[kind]().toBuffer();
      expect((await sharp(bytes).metadata()).orientation).toBe(orientation);
      const { path } = await make([[`a.${kind}`, bytes]]);
      expect(pageSizes(path)).toEqual([upright]);
      expect(await offFrom(bytes, path)).toBeLessThan(2);
      expect(pageSizes((await make([['a', bytes]], { pageSize: 'a4' })).path)).toEqual([
        [595, 842],
      ]);
    }
  });
});

describe('images_to_pdf lays out', () => {
  const red = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: 'red' } })
      .png()
      .toBuffer();

  /** Returns the left edge, top edge, width and height of the page's non-white area. */
  async function inked(path: string): Promise<number[]> {
    const { info } = await sharp(rendered(path))
      .trim({ background: 'white' })
      .toBuffer({ resolveWithObject: true });
    return [-(info.trimOffsetLeft ?? 0), -(info.trimOffsetTop ?? 0), info.width, info.height];
  }

  it.each([
    ['fit', 0, [300, 150], [0, 0, 300, 150]],
    ['fit', 25, [350, 200], [25, 25, 300, 150]],
    ['a4', 0, [595, 842], [0, 272, 595, 298]],
    ['a4', 72, [595, 842], [72, 308, 451, 226]],
    ['letter', 0, [612, 792], [0, 243, 612, 306]],
    ['letter', 36.5, [612, 792], [36, 261, 540, 270]],
  ])('%s with a margin of %f', async (pageSize, margin, page, box) => {
    const { path } = await make([['a.png', await red(300, 150)]], { pageSize, margin });
    expect(pageSizes(path)).toEqual([page]);
    for (const [index, value] of (await inked(path)).entries()) {
      expect(Math.abs(value - (box[index] ?? 0))).toBeLessThanOrEqual(1);
    }
  });

  it('large images smaller and small ones larger, both portrait', async () => {
    for (const [width, height] of [
      [2000, 1000],
      [20, 10],
    ] as const) {
      const { path } = await make([['a.png', await red(width, height)]], { pageSize: 'a4' });
      expect((await inked(path))[2]).toBe(595);
    }
  });
});

it('images_to_pdf embeds a color profile once for all images', async () => {
  const photo = (width: number) => scene(width, 40).withIccProfile('p3').jpeg().toBuffer();
  const files = await Promise.all(
    [50, 60, 70].map(async (width): Promise<Named> => [`${width}.jpg`, await photo(width)]),
  );
  const { path } = await make(files);
  const references = run('qpdf', '--qdf', path, '-').match(/\/ICCBased \d+ 0 R|\/ICCBased\s+\d+/g);
  expect(references?.length).toBe(3);
  expect(new Set(references).size).toBe(1);
});

describe('images_to_pdf inserts PDFs', () => {
  it('in full at their position with their bookmarks, and keeps JPEG bytes unchanged', async () => {
    const jpeg = await scene(41, 30).jpeg().toBuffer();
    const { path } = await make([
      ['a.jpg', jpeg],
      ['b.png', await scene(42, 30).png().toBuffer()],
      ['c.pdf', pdf('chapter', [201, 202, 203])],
      ['d.png', await scene(43, 30).png().toBuffer()],
      ['e.pdf', pdf('appendix', [301])],
    ]);
    expect(pageSizes(path).map(([width]) => width)).toEqual([41, 42, 201, 202, 203, 43, 301]);
    expect(extracted(path).some(({ bytes }) => digest(bytes) === digest(jpeg))).toBe(true);
    expect(run('qpdf', '--json', '--json-key=outlines', path)).toMatch(/chapter[\s\S]*appendix/);
  });

  it('encrypted with an empty password, and returns a single one unchanged', async () => {
    const plain = pdf('plain', [101, 102]);
    expect((await make([['a.pdf', plain]])).bytes.equals(plain)).toBe(true);
    const [source, target] = [join(folder, 'plain.pdf'), join(folder, 'locked.pdf')];
    run('qpdf', '--encrypt', '', 'owner', '256', '--', source, target);
    const { path } = await make([['a.pdf', readFileSync(target)]]);
    expect(pageSizes(path).map(([width]) => width)).toEqual([101, 102]);
    run('qpdf', '--encrypt', 'user', 'owner', '256', '--', source, target);
    const locked: Named = ['locked.pdf', readFileSync(target)];
    for (const files of [
      [locked],
      [['a.png', await scene(9, 9).png().toBuffer()], locked],
    ] as Named[][]) {
      await expect(make(files)).rejects.toMatchObject({
        status: 400,
        message: expect.stringMatching(/locked\.pdf.*password/),
      });
    }
  });
});

describe('images_to_pdf refuses, naming the file,', () => {
  it.each([
    ['a truncated JPEG', async () => (await scene(300, 200).jpeg().toBuffer()).subarray(0, 2000)],
    ['a truncated PNG', async () => (await scene(300, 200).png().toBuffer()).subarray(0, 900)],
    ['a truncated WebP', async () => (await scene(300, 200).webp().toBuffer()).subarray(0, 300)],
    [
      'noise after a signature',
      async () => Buffer.from('\x89PNG\r\n\x1a\nnoise and noise', 'latin1'),
    ],
    ['text', async () => Buffer.from('hello')],
    ['an irreparable PDF', async () => Buffer.from('%PDF-1.7\nnothing else')],
  ])('%s', async (_, content) => {
    const good: Named = ['good.png', await scene(9, 9).png().toBuffer()];
    const bad: Named = ['bad one.bin', await content()];
    await expect(make([good, bad, good])).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('"bad one.bin"'),
    });
  });

  it('one of two files with the same name, by its position', async () => {
    const good: Named = ['scan.png', await scene(9, 9).png().toBuffer()];
    const bad: Named = ['scan.png', Buffer.from('hello')];
    await expect(make([good, bad])).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('"scan.png (file 2)"'),
    });
  });

  it('a PNG whose pixels are damaged', async () => {
    const bytes = await scene(300, 200).png().toBuffer();
    bytes.fill(0, bytes.length >> 1, (bytes.length >> 1) + 40);
    await expect(make([['torn.png', bytes]])).rejects.toMatchObject({
      status: 400,
      param: 'files',
      message: expect.stringMatching(/torn\.png/),
    });
  });

  it('an image over 100 megapixels', async () => {
    const black = { width: 12_000, height: 9000, channels: 3, background: 'black' } as const;
    const bytes = await sharp({ create: black, limitInputPixels: false }).png().toBuffer();
    await expect(make([['vast.png', bytes]])).rejects.toMatchObject({
      status: 413,
      message: expect.stringMatching(/vast\.png/),
    });
  });
});
