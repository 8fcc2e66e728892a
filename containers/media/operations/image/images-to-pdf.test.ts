import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import {
  animation,
  folder,
  heic,
  meanDifference,
  operate,
  removeFolder,
  run,
  scene,
  svg,
} from './test-pictures.ts';

afterAll(removeFolder);

type Named = [name: string, bytes: Uint8Array];

async function make(files: Named[], params: Record<string, unknown> = {}) {
  const ran = await operate('images_to_pdf', { pageSize: 'fit', margin: 0, ...params }, files);
  const path = join(mkdtempSync(join(folder, 'made-')), 'images.pdf');
  writeFileSync(path, ran.bytes);
  run('qpdf', '--check', path);
  return { ...ran, path };
}

/** Width and height of every page, in points. */
const pageSizes = (path: string) =>
  [...run('pdfinfo', '-l', '999', path).matchAll(/Page\s+\d+ size:\s+([\d.]+) x ([\d.]+)/g)].map(
    ([, width, height]) => [Number(width), Number(height)],
  );

/** A page as poppler renders it, one pixel a point unless told. */
function rendered(path: string, page = 1, dpi = 72): Buffer {
  const out = join(mkdtempSync(join(folder, 'page-')), 'p');
  run(
    'pdftoppm',
    '-png',
    '-r',
    String(dpi),
    '-f',
    String(page),
    '-l',
    String(page),
    '-singlefile',
    path,
    out,
  );
  return readFileSync(`${out}.png`);
}

/** How far the page is, as poppler renders it, from the picture on white, 0 to 255; each pixel drawn as 4 x 4. */
async function offFrom(bytes: Buffer, path: string, page = 1): Promise<number> {
  const page4 = rendered(path, page, 288);
  const { width, height } = await sharp(page4).metadata();
  const upright = sharp(bytes).autoOrient().flatten({ background: 'white' });
  const larger = upright.resize(width, height, { kernel: 'nearest', fit: 'fill' });
  return meanDifference(page4, await larger.png().toBuffer());
}

/** The decoded samples of the first picture in a PDF, as qpdf unpacks them. */
function samples(path: string): Buffer {
  const { qpdf } = JSON.parse(run('qpdf', '--json', '--json-key=qpdf', path));
  const isColour = (dict: Record<string, unknown>) =>
    dict['/Subtype'] === '/Image' && dict['/Height'] !== undefined;
  const found = Object.entries<{ stream?: { dict: Record<string, unknown> } }>(qpdf[1]).filter(
    ([, { stream }]) => stream && isColour(stream.dict),
  );
  const masks = found.map(([, { stream }]) => stream?.dict['/SMask']);
  const [name] = found.find(([key]) => !masks.includes(key.slice(4))) ?? [''];
  const [object = ''] = name.slice(4).split(' ');
  return execFileSync('qpdf', [`--show-object=${object}`, '--filtered-stream-data', path], {
    maxBuffer: 1 << 28,
  });
}

/** The samples of a picture's colours as PDF has them: the high byte of 16 bits first. */
async function samplesOf(bytes: Buffer): Promise<Buffer> {
  const { depth, hasAlpha } = await sharp(bytes).metadata();
  const opened = sharp(bytes, { ignoreIcc: true });
  const space = (await sharp(bytes).metadata()).space;
  if (space) opened.toColourspace(space);
  const colours = hasAlpha ? opened.removeAlpha() : opened;
  const raw = await colours.raw({ depth }).toBuffer();
  return depth === 'ushort' ? raw.swap16() : raw;
}

/** The pictures in a PDF as `pdfimages -all` writes them. */
function extracted(path: string): { name: string; bytes: Buffer }[] {
  const directory = mkdtempSync(join(folder, 'images-'));
  run('pdfimages', '-all', path, join(directory, 'i'));
  return readdirSync(directory)
    .sort()
    .map((name) => ({ name, bytes: readFileSync(join(directory, name)) }));
}

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** A PDF with pages of these widths and a bookmark. */
function pdf(name: string, widths: number[]): Buffer {
  const source = join(folder, `${name}.ps`);
  const pages = widths.map(
    (width) =>
      `<< /PageSize [${width} 100] >> setpagedevice 10 10 moveto 50 50 lineto stroke showpage`,
  );
  writeFileSync(source, `[ /Page 1 /Title (${name}) /OUT pdfmark\n${pages.join('\n')}`);
  const path = join(folder, `${name}.pdf`);
  run('gs', '-q', '-sDEVICE=pdfwrite', '-o', path, source);
  return readFileSync(path);
}

describe('images_to_pdf', () => {
  it('makes one page a picture, in the order given', async () => {
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

  it('takes 100 files', async () => {
    const one = await scene(30, 40).jpeg().toBuffer();
    const { path } = await make(Array.from({ length: 100 }, (_, index) => [`${index}.jpg`, one]));
    expect(pageSizes(path).length).toBe(100);
  });
});

describe('images_to_pdf embeds JPEG', () => {
  it.each([
    ['baseline', {}],
    ['progressive', { progressive: true }],
    ['optimised by mozjpeg', { mozjpeg: true }],
  ])('%s with its very bytes', async (_, options) => {
    const bytes = await scene(120, 80).withMetadata({ orientation: 6 }).jpeg(options).toBuffer();
    const { path } = await make([['a.jpg', bytes]], { pageSize: 'a4' });
    const [image] = extracted(path);
    expect(image?.name).toMatch(/\.jpg$/);
    expect(digest(image?.bytes ?? Buffer.alloc(0))).toBe(digest(bytes));
  });

  it('gray, CMYK and with a colour profile, with the right colours', async () => {
    const gray = await scene(60, 40).toColourspace('b-w').jpeg({ quality: 95 }).toBuffer();
    const wide = await scene(60, 40).withIccProfile('p3').jpeg({ quality: 95 }).toBuffer();
    for (const bytes of [gray, wide]) {
      const { path } = await make([['a.jpg', bytes]]);
      expect(await offFrom(bytes, path)).toBeLessThan(bytes === gray ? 1 : 12);
      expect(digest(extracted(path)[0]?.bytes ?? Buffer.alloc(0))).toBe(digest(bytes));
    }
    const cmyk = await scene(60, 40).toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer();
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

describe('images_to_pdf embeds PNG', () => {
  const kinds: [string, () => Promise<Buffer>, RegExp][] = [
    ['RGB', () => scene(61, 37).png().toBuffer(), /rgb +3 +8/],
    ['gray', () => scene(61, 37).toColourspace('b-w').png().toBuffer(), /gray +1 +8/],
    ['16-bit RGB', () => scene(61, 37).toColourspace('rgb16').png().toBuffer(), /rgb +3 +16/],
    ['16-bit gray', () => scene(61, 37).toColourspace('grey16').png().toBuffer(), /gray +1 +16/],
    ['a palette', () => scene(61, 37).png({ palette: true }).toBuffer(), /index +1 +8/],
    [
      'a palette of 16',
      () => scene(61, 37).png({ palette: true, colours: 16 }).toBuffer(),
      /index +1 +4/,
    ],
    [
      'a palette of 4',
      () => scene(61, 37).png({ palette: true, colours: 4 }).toBuffer(),
      /index +1 +2/,
    ],
    ['interlaced RGB', () => scene(61, 37).png({ progressive: true }).toBuffer(), /rgb +3 +8/],
    [
      'an interlaced palette',
      () => scene(61, 37).png({ palette: true, colours: 4, progressive: true }).toBuffer(),
      /index +1 +2/,
    ],
  ];

  it.each(kinds)('of %s with its pixels and bit depth', async (_, picture, seen) => {
    const bytes = await picture();
    const { path } = await make([['a.png', bytes]]);
    expect(run('pdfimages', '-list', path)).toMatch(seen);
    if (/index/.test(String(seen))) expect(await offFrom(bytes, path)).toBeLessThan(0.1);
    else expect(samples(path).equals(await samplesOf(bytes))).toBe(true);
  });

  it('with its own compressed rows where nothing stands against it', async () => {
    const bytes = await scene(61, 37).png().toBuffer();
    const start = bytes.indexOf('IDAT') + 4;
    const content = bytes.subarray(start, start + bytes.readUInt32BE(start - 8));
    expect((await make([['a.png', bytes]])).bytes.includes(content)).toBe(true);
  });

  it.each([
    ['RGB with alpha', (png: Sharp) => png.png()],
    ['16 bits with alpha', (png: Sharp) => png.toColourspace('rgb16').png()],
    ['gray with alpha', (png: Sharp) => png.toColourspace('b-w').png()],
    ['interlaced with alpha', (png: Sharp) => png.png({ progressive: true })],
    ['a palette with alpha', (png: Sharp) => png.png({ palette: true })],
    ['a palette of 4 with alpha', (png: Sharp) => png.png({ palette: true, colours: 4 })],
  ])('of %s with its transparency', async (what, kind) => {
    const bytes = await kind(scene(60, 40, 4)).toBuffer();
    expect((await sharp(bytes).metadata()).hasAlpha).toBe(true);
    const { path } = await make([['a.png', bytes]]);
    expect(run('pdfimages', '-list', path)).toContain('smask');
    const onWhite = await sharp(bytes).flatten({ background: 'white' }).png().toBuffer();
    expect(await offFrom(onWhite, path)).toBeLessThan(1.5);
    if (!what.startsWith('a palette')) {
      expect(samples(path).equals(await samplesOf(bytes))).toBe(true);
    }
  });

  it('with one transparent colour', async () => {
    const plain = await sharp({
      create: { width: 8, height: 8, channels: 3, background: '#0a141e' },
    })
      .png()
      .toBuffer();
    const { crc32 } = await import('node:zlib');
    const chunk = Buffer.from([
      0,
      0,
      0,
      6,
      ...Buffer.from('tRNS'),
      0,
      10,
      0,
      20,
      0,
      30,
      0,
      0,
      0,
      0,
    ]);
    chunk.writeUInt32BE(crc32(chunk.subarray(4, 14)), 14);
    const at = plain.indexOf('IDAT') - 4;
    const bytes = Buffer.concat([plain.subarray(0, at), chunk, plain.subarray(at)]);
    expect((await sharp(bytes).stats()).channels[3]?.max).toBe(0);
    const { path } = await make([['a.png', bytes]]);
    expect((await sharp(rendered(path)).stats()).channels[0]?.min).toBe(255);
  });

  it.each([
    ['gray', 0, [5, 5]],
    ['RGB', 2, [5, 5, 9, 9, 5, 5]],
  ])(
    'of 16-bit %s with one transparent colour, in poppler and Ghostscript',
    async (_, type, key) => {
      const [side, opaque] = [8, key.map(() => 0x77)];
      const rows = Array.from({ length: side }, () => [
        0,
        ...Array.from({ length: side }, (_, column) => (column < side / 2 ? key : opaque)).flat(),
      ]);
      const { crc32, deflateSync } = await import('node:zlib');
      const chunk = (name: string, content: Uint8Array) => {
        const bytes = Buffer.concat([Buffer.alloc(4), Buffer.from(name), content, Buffer.alloc(4)]);
        bytes.writeUInt32BE(content.length);
        bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), bytes.length - 4);
        return bytes;
      };
      const bytes = Buffer.concat([
        Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
        chunk('IHDR', Buffer.from([0, 0, 0, side, 0, 0, 0, side, 16, type, 0, 0, 0])),
        chunk('tRNS', Buffer.from(key)),
        chunk('IDAT', deflateSync(Buffer.from(rows.flat()))),
        chunk('IEND', Buffer.alloc(0)),
      ]);
      const { path } = await make([['deep.png', bytes]]);
      const other = `${path}.gs.png`;
      run('gs', '-q', '-sDEVICE=png16m', '-r72', '-o', other, path);
      for (const seen of [rendered(path), readFileSync(other)]) {
        const columns = await sharp(seen).extractChannel(0).raw().toBuffer();
        expect([...columns.subarray(0, side)].map((value) => value > 250)).toEqual(
          Array.from({ length: side }, (_, column) => column < side / 2),
        );
      }
    },
  );

  it('with its colour profile', async () => {
    const bytes = await scene(60, 40).withIccProfile('p3').png().toBuffer();
    const { path } = await make([['a.png', bytes]]);
    expect(run('pdfimages', '-list', path)).toMatch(/icc +3 +8/);
    expect(samples(path).equals(await samplesOf(bytes))).toBe(true);
    expect(await offFrom(bytes, path)).toBeLessThan(1);
  });
});

describe('images_to_pdf re-encodes to PNG', () => {
  it.each(['webp', 'gif', 'tiff', 'avif'] as const)('%s, with its pixels', async (kind) => {
    const bytes = await scene(60, 40)[kind]().toBuffer();
    const { path } = await make([[`a.${kind}`, bytes]]);
    expect(pageSizes(path)).toEqual([[60, 40]]);
    const [image] = extracted(path);
    expect(image?.name).toMatch(/\.png$/);
    expect(await meanDifference(image?.bytes ?? bytes, bytes)).toBeLessThan(0.5);
    expect(await offFrom(bytes, path)).toBeLessThan(1.5);
  });

  it('HEIC and SVG too', async () => {
    const png = await scene(64, 48).png().toBuffer();
    const drawing = svg('width="60" height="30"', '<rect width="60" height="30" fill="teal"/>');
    const { path } = await make([
      ['a.heic', heic(png)],
      ['a.svg', drawing],
    ]);
    expect(pageSizes(path)).toEqual([
      [64, 48],
      [250, 125],
    ]);
    expect(await offFrom(png, path)).toBeLessThan(8);
  });

  it('TIFF upright', async () => {
    const bytes = await scene(90, 60).withMetadata({ orientation: 8 }).tiff().toBuffer();
    const { path } = await make([['a.tiff', bytes]]);
    expect(pageSizes(path)).toEqual([[60, 90]]);
    expect(await offFrom(bytes, path)).toBeLessThan(1.5);
  });

  it('the first frame of several, and says so', async () => {
    const { path, meta } = await make([['a.gif', await animation('gif', 30, 20, ['red', 'blue'])]]);
    expect(pageSizes(path)).toEqual([[30, 20]]);
    expect(meta.warnings).toEqual([expect.stringContaining('"a.gif" has 2 pages or frames')]);
  });
});

describe('images_to_pdf lays out', () => {
  const red = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: 'red' } })
      .png()
      .toBuffer();

  /** Left, top, width and height of what is not white on the page. */
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

  it('large pictures smaller and small ones larger, both portrait', async () => {
    for (const [width, height] of [
      [2000, 1000],
      [20, 10],
    ] as const) {
      const { path } = await make([['a.png', await red(width, height)]], { pageSize: 'a4' });
      expect((await inked(path))[2]).toBe(595);
    }
  });
});

it('images_to_pdf holds a colour profile once, however many pictures have it', async () => {
  const photo = (width: number) => scene(width, 40).withIccProfile('p3').jpeg().toBuffer();
  const files = await Promise.all(
    [50, 60, 70].map(async (width): Promise<Named> => [`${width}.jpg`, await photo(width)]),
  );
  const { path } = await make(files);
  const references = run('qpdf', '--qdf', path, '-').match(/\/ICCBased \d+ 0 R|\/ICCBased\s+\d+/g);
  expect(references?.length).toBe(3);
  expect(new Set(references).size).toBe(1);
});

describe('images_to_pdf splices PDFs in', () => {
  it('whole, at their position, with their bookmarks, and leaves JPEG bytes as they are', async () => {
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

  it('encrypted with an empty password, too, and a single one as it is', async () => {
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

describe('images_to_pdf refuses, naming the file', () => {
  it.each([
    [
      'a JPEG that is cut off',
      async () => (await scene(300, 200).jpeg().toBuffer()).subarray(0, 2000),
    ],
    [
      'a PNG that is cut off',
      async () => (await scene(300, 200).png().toBuffer()).subarray(0, 900),
    ],
    [
      'a WebP that is cut off',
      async () => (await scene(300, 200).webp().toBuffer()).subarray(0, 300),
    ],
    [
      'noise behind a signature',
      async () => Buffer.from('\x89PNG\r\n\x1a\nnoise and noise', 'latin1'),
    ],
    ['text', async () => Buffer.from('hello')],
    ['a PDF beyond repair', async () => Buffer.from('%PDF-1.7\nnothing else')],
  ])('%s', async (_, content) => {
    const good: Named = ['good.png', await scene(9, 9).png().toBuffer()];
    const bad: Named = ['bad one.bin', await content()];
    await expect(make([good, bad, good])).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('"bad one.bin"'),
    });
  });

  it('one of two files of the same name, by its place', async () => {
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
      message: /torn\.png/,
    });
  });

  it('a picture over 100 megapixels', async () => {
    const black = { width: 12_000, height: 9000, channels: 3, background: 'black' } as const;
    const bytes = await sharp({ create: black, limitInputPixels: false }).png().toBuffer();
    await expect(make([['vast.png', bytes]])).rejects.toMatchObject({
      status: 413,
      message: /vast\.png/,
    });
  });
});
