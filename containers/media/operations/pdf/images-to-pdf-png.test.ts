import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { pngChunk } from '../image/png-file.ts';
import { animatedPng } from '../image/test-animated-png.ts';
import {
  animation,
  emptyFolder,
  heic,
  meanDifference,
  pyramid,
  scene,
  sequence,
  svg,
} from '../image/test-images.ts';
import { run } from '../test-operation.ts';
import {
  extracted,
  make,
  type Named,
  offFrom,
  pageSizes,
  rendered,
  samples,
  samplesOf,
} from './test-image-pdfs.ts';

afterAll(emptyFolder);

describe('images_to_pdf embeds PNG', () => {
  const kinds: [string, () => Promise<Buffer>, RegExp][] = [
    ['RGB', () => scene(61, 37).png().toBuffer(), /rgb +3 +8/],
    ['gray', () => scene(61, 37).toColorspace('b-w').png().toBuffer(), /gray +1 +8/],
    ['16-bit RGB', () => scene(61, 37).toColorspace('rgb16').png().toBuffer(), /rgb +3 +16/],
    ['16-bit gray', () => scene(61, 37).toColorspace('grey16').png().toBuffer(), /gray +1 +16/],
    ['a palette', () => scene(61, 37).png({ palette: true }).toBuffer(), /index +1 +8/],
    [
      'a palette of 16',
      () => scene(61, 37).png({ palette: true, colors: 16 }).toBuffer(),
      /index +1 +4/,
    ],
    [
      'a palette of 4',
      () => scene(61, 37).png({ palette: true, colors: 4 }).toBuffer(),
      /index +1 +2/,
    ],
    ['interlaced RGB', () => scene(61, 37).png({ progressive: true }).toBuffer(), /rgb +3 +8/],
    [
      'an interlaced palette',
      () => scene(61, 37).png({ palette: true, colors: 4, progressive: true }).toBuffer(),
      /index +1 +2/,
    ],
  ];

  it.each(kinds)('of %s with its pixels and bit depth', async (_, image, seen) => {
    const bytes = await image();
    const { path } = await make([['a.png', bytes]]);
    expect(run('pdfimages', '-list', path)).toMatch(seen);
    if (/index/.test(String(seen))) expect(await offFrom(bytes, path)).toBeLessThan(0.1);
    else expect(samples(path).equals(await samplesOf(bytes))).toBe(true);
  });

  it('of two colors as CCITT Group 4, even if rows end within a byte', async () => {
    const bytes = await scene(1003, 700).png({ palette: true, colors: 2, dither: 0 }).toBuffer();
    const { path } = await make([['a.png', bytes]]);
    expect(run('pdfimages', '-list', path)).toMatch(/index +1 +1 +ccitt/);
    expect(await offFrom(bytes, path)).toBeLessThan(0.1);
  });

  it('and TIFF of one bit as CCITT Group 4, whether mostly black or white', async () => {
    for (const negative of [false, true]) {
      const bits = scene(993, 700).toColorspace('b-w').negate(negative);
      const bytes = await bits.tiff({ compression: 'packbits', bitdepth: 1 }).toBuffer();
      const { path } = await make([['a.tif', bytes]]);
      expect(run('pdfimages', '-list', path)).toMatch(/gray +1 +1 +ccitt/);
      expect(await offFrom(bytes, path)).toBeLessThan(0.1);
    }
  });

  it('with its original compressed rows if nothing prevents it', async () => {
    const bytes = await scene(61, 37).png().toBuffer();
    const start = bytes.indexOf('IDAT') + 4;
    const content = bytes.subarray(start, start + bytes.readUInt32BE(start - 8));
    expect((await make([['a.png', bytes]])).bytes.includes(content)).toBe(true);
  });

  it.each([
    ['RGB with alpha', (png: Sharp) => png.png()],
    ['16 bits with alpha', (png: Sharp) => png.toColorspace('rgb16').png()],
    ['gray with alpha', (png: Sharp) => png.toColorspace('b-w').png()],
    ['interlaced with alpha', (png: Sharp) => png.png({ progressive: true })],
    ['a palette with alpha', (png: Sharp) => png.png({ palette: true })],
    ['a palette of 4 with alpha', (png: Sharp) => png.png({ palette: true, colors: 4 })],
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

  it('with one transparent color', async () => {
    const plain = await sharp({
      create: { width: 8, height: 8, channels: 3, background: '#0a141e' },
    })
      .png()
      .toBuffer();
    const chunk = pngChunk('tRNS', Uint8Array.of(0, 10, 0, 20, 0, 30));
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
    'of 16-bit %s with one transparent color, in poppler and Ghostscript',
    async (_, type, key) => {
      const [side, opaque] = [8, key.map(() => 0x77)];
      const rows = Array.from({ length: side }, () => [
        0,
        ...Array.from({ length: side }, (_, column) => (column < side / 2 ? key : opaque)).flat(),
      ]);
      const bytes = Buffer.concat([
        Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
        pngChunk('IHDR', Buffer.from([0, 0, 0, side, 0, 0, 0, side, 16, type, 0, 0, 0])),
        pngChunk('tRNS', Buffer.from(key)),
        pngChunk('IDAT', deflateSync(Buffer.from(rows.flat()))),
        pngChunk('IEND', Buffer.alloc(0)),
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

  it('with its color profile', async () => {
    const bytes = await scene(60, 40).withIccProfile('p3').png().toBuffer();
    const { path } = await make([['a.png', bytes]]);
    expect(run('pdfimages', '-list', path)).toMatch(/icc +3 +8/);
    expect(samples(path).equals(await samplesOf(bytes))).toBe(true);
    expect(await offFrom(bytes, path)).toBeLessThan(1);
  });
});

describe('images_to_pdf re-encodes to PNG', () => {
  it.each(['webp', 'gif', 'tiff', 'avif'] as const)('%s with its pixels', async (kind) => {
    const bytes = await scene(60, 40)[kind]().toBuffer();
    const { path } = await make([[`a.${kind}`, bytes]]);
    expect(pageSizes(path)).toEqual([[60, 40]]);
    const [image] = extracted(path);
    expect(image?.name).toMatch(/\.png$/);
    expect(await meanDifference(image?.bytes ?? bytes, bytes)).toBeLessThan(0.5);
    expect(await offFrom(bytes, path)).toBeLessThan(1.5);
  });

  it('HEIC and SVG', async () => {
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

  const spaces: [string, (image: Sharp) => Sharp, RegExp][] = [
    ['gray', (image) => image.toColorspace('b-w'), /gray +1 +8/],
    ['16-bit gray', (image) => image.toColorspace('grey16'), /gray +1 +16/],
    ['16-bit RGB', (image) => image.toColorspace('rgb16'), /rgb +3 +16/],
    ['RGB', (image) => image, /rgb +3 +8/],
  ];
  it.each(spaces)('TIFF of %s with its pixels and bit depth', async (_, image, seen) => {
    const png = await image(scene(61, 37)).png().toBuffer();
    const tiff = await image(scene(61, 37)).tiff({ compression: 'lzw' }).toBuffer();
    const { path } = await make([['a.tif', tiff]]);
    expect(run('pdfimages', '-list', path)).toMatch(seen);
    expect(samples(path).equals(await samplesOf(png))).toBe(true);
  });

  it.each([
    [256, /index +1 +8/],
    [16, /index +1 +4/],
    [4, /index +1 +2/],
  ])('GIF of at most %d colors with its palette', async (colors, seen) => {
    const gif = await scene(61, 37).gif({ colors }).toBuffer();
    const { path } = await make([['a.gif', gif]]);
    expect(run('pdfimages', '-list', path)).toMatch(seen);
    expect(await offFrom(gif, path)).toBeLessThan(0.1);
  });

  it('GIF with transparent pixels with its palette and a soft mask', async () => {
    const hole = svg('width="61" height="37"', '<circle cx="30" cy="18" r="9"/>');
    const gif = await scene(61, 37, 4)
      .composite([{ input: hole, blend: 'dest-out' }])
      .gif()
      .toBuffer();
    const { path } = await make([['a.gif', gif]]);
    expect(run('pdfimages', '-list', path)).toMatch(/smask/);
    expect(run('pdfimages', '-list', path)).toMatch(/index +1 +8/);
    expect(await offFrom(gif, path)).toBeLessThan(0.1);
  });

  it('an SVG without the files that it links to, with a warning', async () => {
    const linking = svg('width="9" height="9"', '<image href="photo.png" width="9"/>');
    const { meta } = await make([['a.svg', linking]]);
    expect(meta.warnings).toEqual([expect.stringContaining('"a.svg" links to other files')]);
  });

  it('the still image of an animated AVIF, with a warning', async () => {
    const still = await scene(64, 48).avif().toBuffer();
    const { path, meta } = await make([['a.avif', sequence(still)]]);
    expect(meta.warnings).toEqual(['"a.avif" is animated; the PDF contains only its first image.']);
    expect(await offFrom(still, path)).toBeLessThan(1.5);
  });

  it('every page of a TIFF', async () => {
    const create = { width: 30, height: 20, channels: 3 } as const;
    const pages = ['red', 'lime', 'blue'].map((background) =>
      sharp({ create: { ...create, background } })
        .png()
        .toBuffer(),
    );
    const joined = sharp(await Promise.all(pages), { join: { animated: true } });
    const { path, meta } = await make([
      ['scan.tiff', await joined.tiff({ compression: 'lzw' }).toBuffer()],
    ]);
    expect(pageSizes(path)).toEqual(Array(3).fill([30, 20]));
    const colors = extracted(path).map(async ({ bytes }) =>
      (await sharp(bytes).stats()).channels.map(({ mean }) => mean),
    );
    expect(await Promise.all(colors)).toEqual([
      [255, 0, 0],
      [0, 255, 0],
      [0, 0, 255],
    ]);
    expect(meta.warnings).toEqual([]);
  });

  it('a dithered one-bit TIFF in fewer bytes than CCITT Group 4 needs', async () => {
    const pixels = Uint8Array.from(
      { length: 320 * 200 },
      (_, at) => ((at + ((at / 320) & 1)) & 1) * 255,
    );
    const raw = { width: 320, height: 200, channels: 1 as const };
    const bits = sharp(pixels, { raw }).toColorspace('b-w');
    const bytes = await bits.tiff({ compression: 'packbits', bitdepth: 1 }).toBuffer();
    const { path } = await make([['a.tif', bytes]]);
    expect(run('pdfimages', '-list', path)).toMatch(/gray +1 +1 +image/);
    expect(await offFrom(bytes, path)).toBeLessThan(0.1);
  });

  it('no smaller copies of a TIFF page', async () => {
    const tiff = await pyramid(scene(256, 192));
    const { path } = await make([['map.tiff', tiff]]);
    expect(pageSizes(path)).toEqual([[256, 192]]);
  });

  it('no TIFF with a later page that libvips would decode as black', async () => {
    const pages = Array.from({ length: 2 }, () => scene(64, 64).png().toBuffer());
    const joined = sharp(await Promise.all(pages), { join: { animated: true } });
    const tile = { tile: true, tileWidth: 64, tileHeight: 64 };
    const tiff = await joined.tiff({ compression: 'none', ...tile }).toBuffer();
    const first = tiff.readUInt32LE(4);
    const second = tiff.readUInt32LE(first + 2 + tiff.readUInt16LE(first) * 12);
    const entries = Array.from(
      { length: tiff.readUInt16LE(second) },
      (_, index) => second + 2 + index * 12,
    );
    const compression = entries.find((at) => tiff.readUInt16LE(at) === 259) ?? Number.NaN;
    tiff.writeUInt16LE(34925, compression + 8);
    await expect(make([['scan.tiff', tiff]])).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('"scan.tiff" has LZMA compression, which is not supported'),
    });
  });

  it('a rotated TIFF upright', async () => {
    const bytes = await scene(90, 60).withMetadata({ orientation: 8 }).tiff().toBuffer();
    const { path } = await make([['a.tiff', bytes]]);
    expect(pageSizes(path)).toEqual([[60, 90]]);
    expect(await offFrom(bytes, path)).toBeLessThan(1.5);
  });

  it('the first of several frames, with a warning', async () => {
    const { path, meta } = await make([['a.gif', await animation('gif', 30, 20, ['red', 'blue'])]]);
    expect(pageSizes(path)).toEqual([[30, 20]]);
    expect(meta.warnings).toEqual([expect.stringContaining('"a.gif" has 2 frames')]);
    expect(meta.pages).toBe(1);
  });

  it('the first image of an animated PNG, with a warning', async () => {
    const frame = { width: 30, height: 20, left: 0, top: 0, disposal: 'none', delay: 100 } as const;
    const png = await animatedPng(
      ['red', 'blue'].map((color) => ({ ...frame, color, isOver: false })),
    );
    const { meta } = await make([['a.png', png]]);
    expect(meta.warnings).toEqual([expect.stringContaining('"a.png" is animated')]);
    const { meta: all } = await make([['a.png', png]], { frames: 'all' });
    expect(all).toMatchObject({ pages: 2, warnings: [] });
  });

  it('warns if a lossy image makes a much larger PDF', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
    const create = { width: 900, height: 700, channels: 3 as const, background: 'gray', noise };
    const photo = sharp({ create });
    const { meta } = await make([['a.webp', await photo.webp({ quality: 30 }).toBuffer()]]);
    expect(meta.warnings).toEqual([expect.stringContaining('much larger than its images')]);
    const { meta: other } = await make([['a.jpg', await photo.jpeg({ quality: 30 }).toBuffer()]]);
    expect(other.warnings ?? []).toEqual([]);
  });

  it.each(['gif', 'webp'] as const)('all frames of a %s on request', async (format) => {
    const colors = ['red', 'lime', 'blue'];
    const bytes = await animation(format, 30, 20, colors);
    const files: Named[] = [
      [`a.${format}`, bytes],
      ['b.png', await scene(10, 10).png().toBuffer()],
    ];
    const { path, meta } = await make(files, { frames: 'all' });
    expect(meta).toMatchObject({ pages: 4, warnings: [] });
    expect(pageSizes(path)).toEqual([
      [30, 20],
      [30, 20],
      [30, 20],
      [10, 10],
    ]);
    for (const [index, color] of colors.entries()) {
      const create = { width: 30, height: 20, channels: 3 as const, background: color };
      const frame = await sharp({ create }).png().toBuffer();
      expect(await offFrom(frame, path, index + 1)).toBeLessThan(3);
    }
  });
});
