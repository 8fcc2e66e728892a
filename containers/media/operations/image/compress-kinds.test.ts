/** Tests compress_image with HEIC, SVG and animated inputs, and with files that it rejects. */
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { rawTiff } from './raw-tiff.ts';
import { compress, refused } from './test-compress.ts';
import {
  animation,
  emptyFolder,
  heic,
  meanDifference,
  pyramid,
  scene,
  sequence,
  svg,
} from './test-images.ts';

afterAll(emptyFolder);

/** Changes a SHORT value in the first directory of a little-endian TIFF (TIFF 6.0, section 2). */
function setTag(tiff: Buffer, tag: number, value: number): void {
  const directory = tiff.readUInt32LE(4);
  const entries = Array.from({ length: tiff.readUInt16LE(directory) }, (_, index) => index);
  const entry = entries
    .map((index) => directory + 2 + index * 12)
    .find((at) => tiff.readUInt16LE(at) === tag);
  if (entry === undefined) throw new Error(`the TIFF has no tag ${tag}`);
  tiff.writeUInt16LE(value, entry + 8);
}

/** Returns a copy with one byte changed. */
function withByte(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(at) ^ 0xff, at);
  return copy;
}

/** Makes a 10 × 10 pixel GIF whose frames are squares of 4 × 4 red pixels at these offsets (GIF89a, section 20). */
function gifWithFramesAt(...offsets: readonly number[]): Buffer {
  const header = [10, 0, 10, 0, 0xf0, 0, 0, 255, 0, 0, 0, 0, 255];
  // Each code has three bits. A clear code and two pixels are repeated eight times, and the end code follows.
  const codes = Array.from({ length: 8 }, () => [4, 0, 0]).flat();
  const bits = [...codes, 5].reduce(
    (sum, code, index) => sum | (BigInt(code) << BigInt(3 * index)),
    0n,
  );
  const data = Array.from({ length: 10 }, (_, index) => Number((bits >> BigInt(8 * index)) & 255n));
  const frames = offsets.map((at) => {
    const size = [at, 0, at, 0, 4, 0, 4, 0, 0];
    return [0x21, 0xf9, 4, 4, 10, 0, 0, 0, 0x2c, ...size, 2, data.length, ...data, 0];
  });
  return Buffer.from([...Buffer.from('GIF89a'), ...header, ...frames.flat(), 0x3b]);
}

it.each([1, 255])(
  'compress_image reads gray floating-point samples from 0 to %i',
  async (white) => {
    const [width, height] = [64, 16];
    const samples = Float32Array.from(
      { length: width * height },
      (_, at) => white * ((at % 64) / 63),
    );
    const raw = { width: width * 4, height, channels: 1 as const };
    const tiff = await sharp(Buffer.from(samples.buffer), { raw })
      .toColourspace('b-w')
      .tiff({ compression: 'none' })
      .toBuffer();
    for (const [tag, value] of Object.entries({ 256: width, 258: 32, 339: 3 })) {
      setTag(tiff, Number(tag), value);
    }
    for (const format of ['png', 'webp', 'avif', 'jpeg']) {
      const { bytes } = await compress(tiff, { format, quality: 1 }, 'a.tif');
      const { channels } = await sharp(bytes).stats();
      expect(channels[0]!.mean).toBeCloseTo(127.5, -1);
      expect(channels[0]!.max).toBeGreaterThan(250);
    }
  },
);

describe('compress_image reads a GIF with a frame that', () => {
  it.each([
    ['crosses the edge of its canvas', [8], [12, 12], 1],
    ['lies outside its canvas', [15], [19, 19], 1],
    ['lies outside the canvas of an animation', [0, 15], [10, 10], 2],
  ])('%s', async (_, offsets, [width, height], frames) => {
    const { seen, meta } = await compress(gifWithFramesAt(...offsets), {}, 'a.gif');
    expect([seen.width, seen.pageHeight ?? seen.height]).toEqual([width, height]);
    expect(meta.frames).toBe(frames);
  });
});

describe('compress_image, given HEIC,', () => {
  it('decodes its pixels', async () => {
    const png = await scene(320, 240).png().toBuffer();
    for (const format of ['webp', 'jpeg', 'png']) {
      const { bytes, seen } = await compress(heic(png, '-q', '90'), { format }, 'IMG_1.HEIC');
      expect([seen.format, seen.width, seen.height]).toEqual([format, 320, 240]);
      expect(await meanDifference(bytes, png)).toBeLessThan(4);
    }
  });

  it('converts its color profile', async () => {
    const wide = sharp({ create: { width: 64, height: 64, channels: 3, background: '#c8320a' } });
    const png = await wide.withIccProfile('p3').png().toBuffer();
    const { bytes, seen } = await compress(heic(png, '-q', '95'), { format: 'png' });
    expect(seen.icc).toBeUndefined();
    expect(await meanDifference(bytes, png)).toBeLessThan(3);
  });

  it('checks its size before decoding', async () => {
    const bytes = heic(await scene(64, 64).png().toBuffer());
    // The image spatial extents property (ISO/IEC 23008-12, section 6.5.3).
    for (let at = bytes.indexOf('ispe'); at > 0; at = bytes.indexOf('ispe', at + 4)) {
      bytes.writeUInt32BE(20_000, at + 8);
      bytes.writeUInt32BE(10_000, at + 12);
    }
    await expect(refused(bytes)).rejects.toMatchObject({ status: 413 });
  });

  it('refuses a truncated file', async () => {
    const bytes = heic(await scene(320, 240).png().toBuffer());
    await expect(
      refused(bytes.subarray(0, bytes.length / 2), {}, 'IMG_2.HEIC'),
    ).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('IMG_2.HEIC'),
    });
  });
});

describe('compress_image draws SVG', () => {
  const circle = '<circle cx="50" cy="25" r="20" fill="teal"/>';

  it.each([
    ['at 300 DPI', 'width="100" height="50"', {}, 417, 208],
    ['inside 800 x 800', 'width="1000" height="500"', {}, 800, 400],
    ['however large its units are', 'width="100000" height="50000"', {}, 800, 400],
    ['by its viewBox', 'viewBox="0 0 100 50"', {}, 417, 208],
    ['as wide as asked for', 'width="100" height="50"', { width: 2000 }, 2000, 1000],
    ['as high as asked for', 'width="1000" height="500"', { height: 50 }, 100, 50],
  ])('%s', async (_, attributes, params, width, height) => {
    const { seen } = await compress(svg(attributes, circle), params, 'a.svg');
    expect([seen.width, seen.height]).toEqual([width, height]);
  });

  it.each([
    ['long', 'width="10000" height="1"', 800, 1],
    ['tall', "width='2' height='9000' viewBox='0 0 2 9000'", 1, 800],
    ['vast', 'width="1000000" height="1000000"', 800, 800],
    ['vast, by its viewBox', 'viewBox="0 0 1000000 500000"', 800, 400],
  ])('with extreme dimensions: %s', async (_, attributes, width, height) => {
    const lines = '<!-- ? --><rect width="100%" height="100%" fill="lime"/>';
    const { seen, bytes } = await compress(svg(attributes, lines), { format: 'png' }, 'a.svg');
    expect([seen.width, seen.height]).toEqual([width, height]);
    const { channels } = await sharp(bytes).stats();
    expect([channels[0]?.max, channels[1]?.min]).toEqual([0, 255]);
  });

  it.each([
    ['in mm', 'width="210mm" height="297mm" viewBox="0 0 210 297"', '100%', 566, 800],
    ['in inches', 'width="1in" height="0.5in"', '2in', 400, 200],
    ['in pt, long', 'width="9000pt" height="1pt"', '9000pt', 800, 1],
    ['in cm and pixels', 'width="100" height="1cm" viewBox="0 0 10 10"', '100%', 417, 157],
  ])('with its size %s', async (_, attributes, side, width, height) => {
    const square = `<rect width="${side}" height="${side}" fill="red"/>`;
    const drawing = svg(`preserveAspectRatio="none" ${attributes}`, square);
    const { seen, bytes } = await compress(drawing, { format: 'png' }, 'a.svg');
    expect([seen.width, seen.height]).toEqual([width, height]);
    const { channels } = await sharp(bytes).stats();
    expect(channels[3]?.min ?? 255).toBe(255);
    expect(channels[0]?.min).toBe(255);
  });

  it('at the scale of its units', async () => {
    const square = '<rect x="10" y="10" width="1cm" height="24pt" fill="red"/>';
    const drawing = svg('width="200" height="100"', square);
    const { bytes } = await compress(drawing, { format: 'png' });
    const { info } = await sharp(bytes).trim().toBuffer({ resolveWithObject: true });
    // The drawing covers 37.8 × 32 of the 200 × 100 units and is scaled by four.
    expect(info.width).toBeGreaterThanOrEqual(151);
    expect(info.width).toBeLessThanOrEqual(152);
    expect(info.height).toBe(128);
  });

  it('sharply when enlarged, with its transparency', async () => {
    const edge = svg('width="10" height="10"', '<rect width="5" height="10" fill="black"/>');
    const { bytes } = await compress(edge, { width: 1000, format: 'png' });
    const { data } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    expect([data[490 * 4 + 3], data[510 * 4 + 3]]).toEqual([255, 0]);
  });

  it('without loading external resources', async () => {
    const { folder } = await import('./test-images.ts');
    const { writeFileSync } = await import('node:fs');
    writeFileSync(
      `${folder}/secret.png`,
      await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
        .png()
        .toBuffer(),
    );
    const addresses = [
      `file://${folder}/secret.png`,
      `${folder}/secret.png`,
      'secret.png',
      'http://127.0.0.1:9/a.png',
    ];
    for (const address of addresses) {
      const image = `<image href="${address}" width="9" height="9"/><use href="${address}#a"/>`;
      const entity = `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>`;
      const bare = svg('width="9" height="9"', `${image}`);
      const { bytes, meta } = await compress(bare, { format: 'png' });
      expect(meta.warnings).toContainEqual(expect.stringContaining('links to other files'));
      expect((await sharp(bytes).stats()).channels.at(-1)?.max).toBe(0);
      const withEntity = Buffer.concat([
        Buffer.from(entity),
        svg('width="9" height="9"', '<text y="8">&x;</text>'),
      ]);
      const drawn = await compress(withEntity, { format: 'png' }).catch((error) => error);
      expect(drawn.status ?? (await sharp(drawn.bytes).stats()).channels.at(-1)?.max).toSatisfy(
        (value: number) => value === 400 || value === 0,
      );
    }
  });
});

describe('compress_image keeps animations', () => {
  it.each(['gif', 'webp'] as const)('of %s in webp, with delays and loop count', async (kind) => {
    const input = await animation(kind, 40, 30, ['red', 'lime', 'blue']);
    const { seen, meta } = await compress(input, { width: 20, quality: 0.5 });
    expect(seen).toMatchObject({
      pages: 3,
      pageHeight: 15,
      width: 20,
      delay: [100, 200, 300],
      loop: 2,
    });
    expect(meta).toMatchObject({ frames: 3, width: 20, height: 15 });
    const cropped = await compress(input, { width: 10, height: 10 });
    expect(cropped.seen).toMatchObject({ pages: 3, pageHeight: 10, width: 10 });
  });

  it('of other formats as their first frame, with a warning', async () => {
    const input = await animation('gif', 40, 30, ['red', 'lime']);
    for (const format of ['png', 'jpeg', 'avif']) {
      const { seen, meta } = await compress(input, { format });
      expect([seen.width, seen.height, seen.pages ?? 1]).toEqual([40, 30, 1]);
      expect(meta.warnings).toContainEqual(expect.stringMatching(/2 pages or frames/));
    }
  });
});

describe('compress_image warns', () => {
  it('that an animated AVIF becomes its still image', async () => {
    const avif = await scene(64, 48).avif().toBuffer();
    for (const format of ['webp', 'avif']) {
      const { seen, meta } = await compress(sequence(avif), { format });
      expect([seen.width, seen.height]).toEqual([64, 48]);
      expect(meta.warnings).toContainEqual(expect.stringMatching(/ is animated; /));
    }
  });

  it('that a PNG of 16 bits becomes one of 8 bits', async () => {
    const warning = expect.stringMatching(/ has more than 8 bits per channel; the result has 8\.$/);
    const deep = await scene(64, 48).toColorspace('rgb16').png({ compressionLevel: 0 }).toBuffer();
    expect((await compress(deep, { format: 'png' })).meta.warnings).toContainEqual(warning);
    const usual = await scene(64, 48).png({ compressionLevel: 0 }).toBuffer();
    expect((await compress(usual, { format: 'png' })).meta.warnings).not.toContainEqual(warning);
  });
});

describe('compress_image refuses', () => {
  it('does not count the levels of a TIFF pyramid as pages', async () => {
    const tiff = await pyramid(scene(256, 192));
    const { meta } = await compress(tiff, {});
    expect(meta.warnings ?? []).toEqual([]);
  });

  it('more than 100 megapixels before decoding them', async () => {
    const black = { width: 12_000, height: 9000, channels: 3, background: 'black' } as const;
    const input = await sharp({ create: black, limitInputPixels: false }).png().toBuffer();
    const started = performance.now();
    await expect(refused(input)).rejects.toMatchObject({
      status: 413,
      message: expect.stringContaining('12000 x 9000'),
    });
    expect(performance.now() - started).toBeLessThan(60_000);
  });

  it.each(['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'] as const)(
    'a truncated %s, naming it',
    async (kind) => {
      const input = await scene(400, 300)[kind]().toBuffer();
      for (const part of [0.5, 0.8]) {
        const cut = input.subarray(0, Math.floor(input.length * part));
        await expect(refused(cut, {}, 'cut.jpg')).rejects.toMatchObject({
          status: 400,
          message: expect.stringContaining('cut.jpg'),
        });
      }
    },
  );

  it('a file that is not an image, naming its type', async () => {
    const samples: [string, string][] = [
      ['%PDF-1.7\n', 'a PDF'],
      ['\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'a video'],
      ['BM\x46\0\0\0\0\0\0\0\x36', 'a BMP'],
      ['\x1f\x8b\x08\0\0\0', 'gzip, like SVGZ'],
      ['\xff\xfe<\0s\0v\0g\0', 'UTF-16 text, but an SVG must be UTF-8'],
      ['just words', 'not an image'],
      ['<html><svg></svg></html>', 'not an image'],
    ];
    for (const [content, word] of samples) {
      await expect(refused(Buffer.from(content, 'latin1'))).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining(word),
      });
    }
  });

  it.each([
    [259, 34925, 'LZMA compression'],
    [259, 50000, 'Zstandard compression'],
    [284, 2, 'separate color planes in tiles'],
  ])('a TIFF whose tag %i is %i, naming the unsupported feature', async (tag, value, feature) => {
    const tile = { tile: true, tileWidth: 64, tileHeight: 64 };
    const input = await scene(64, 64)
      .tiff({ compression: 'none', ...tile })
      .toBuffer();
    setTag(input, tag, value);
    await expect(refused(input, {}, 'scan.tif')).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(`"scan.tif" has ${feature}, which is not supported`),
    });
  });

  it('a TIFF with 8-bit L*a*b* colors, which libvips cannot read', async () => {
    const tiff = rawTiff(new Uint8Array(8 * 8 * 3).fill(128), 8, 8, 3, undefined);
    // Entry 5 of the directory is PhotometricInterpretation; 8 is CIE L*a*b* (TIFF 6.0, section 23).
    const at = 8 + 2 + 4 * 12;
    expect(tiff.readUInt16LE(at)).toBe(262);
    tiff.writeUInt16LE(8, at + 8);
    await expect(refused(tiff, {}, 'lab.tif')).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/^"lab.tif" has 8-bit L\*a\*b\* colors/),
    });
  });

  it('a BigTIFF with LZMA tiles, which libvips would decode as black', async () => {
    const tile = { tile: true, tileWidth: 64, tileHeight: 64 };
    const input = await scene(64, 64)
      .tiff({ compression: 'none', bigtiff: true, ...tile })
      .toBuffer();
    const directory = Number(input.readBigUInt64LE(8));
    const count = Number(input.readBigUInt64LE(directory));
    const entries = Array.from({ length: count }, (_, index) => directory + 8 + index * 20);
    const compression = entries.find((at) => input.readUInt16LE(at) === 259) ?? Number.NaN;
    input.writeUInt16LE(34925, compression + 12);
    await expect(refused(input, {}, 'scan.tif')).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('"scan.tif" has LZMA compression, which is not supported'),
    });
  });

  it.each([
    ['its second half is missing', (png: Buffer) => png.subarray(0, png.length / 2), 'image data'],
    ['a byte of its data differs', (png: Buffer) => withByte(png, png.length - 30), 'image data'],
    ['a byte of its header differs', (png: Buffer) => withByte(png, 25), 'header'],
    ['it stops after its signature', (png: Buffer) => png.subarray(0, 8), 'header'],
  ])('a damaged PNG with a clear message: %s', async (_, damaged, part) => {
    const png = await scene(64, 64).png().toBuffer();
    await expect(refused(damaged(png), {}, 'a.png')).rejects.toMatchObject({
      status: 400,
      message: `"a.png" cannot be decoded as an image: its ${part} is invalid. It may be damaged or truncated.`,
    });
  });

  it('noise after every signature', async () => {
    const noise = Buffer.from(Array.from({ length: 4000 }, (_, index) => (index * 7919) % 251));
    const heads = [
      '\xff\xd8\xff\xe0',
      '\x89PNG\r\n\x1a\n',
      'GIF89a',
      'RIFF\0\x10\0\0WEBPVP8 ',
      'II*\0',
      '\0\0\0\x18ftypavif\0\0\0\0avifmif1',
      '\0\0\0\x18ftypheic\0\0\0\0heicmif1',
      '<svg ',
    ];
    for (const head of heads) {
      const bytes = Buffer.concat([Buffer.from(head, 'latin1'), noise]);
      await expect(refused(bytes)).rejects.toMatchObject({
        status: 400,
        message: expect.not.stringMatching(/[\s.:]\. /),
      });
    }
  });

  it('warns of no other file if an SVG contains all that it shows', async () => {
    const content =
      '<defs><g id="a"/></defs><use href="#a"/><a href="https://example.com/"><text>href="x"</text></a><image href=" data:image/png;base64,"/>';
    const { meta } = await compress(svg('width="9" height="9"', content), { format: 'png' });
    expect(meta.warnings).toEqual([]);
  });
});
