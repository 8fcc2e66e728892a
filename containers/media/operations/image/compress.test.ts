import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import {
  animation,
  heic,
  meanDifference,
  operate,
  removeFolder,
  scene,
  svg,
} from './test-pictures.ts';

afterAll(removeFolder);

const DEFAULTS = { quality: 0.9, format: 'webp', keepAspectRatio: false, grayscale: false };

async function compress(bytes: Buffer, params: Record<string, unknown> = {}, name = 'a.jpg') {
  const ran = await operate('compress_image', { ...DEFAULTS, ...params }, [[name, bytes]]);
  const seen = await sharp(ran.bytes, { animated: true }).metadata();
  return { ...ran, seen };
}

const refused = (bytes: Uint8Array, params = {}, name = 'bad.jpg') =>
  operate('compress_image', { ...DEFAULTS, ...params }, [[name, bytes]]);

const photo = () => scene(300, 200).jpeg({ quality: 95 }).toBuffer();

describe('compress_image makes', () => {
  it.each(['webp', 'jpeg', 'png', 'avif'])('%s out of every kind of picture', async (format) => {
    const kinds = ['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'] as const;
    for (const kind of kinds) {
      const input = await scene(120, 80)[kind]().toBuffer();
      const { bytes, contentType, seen } = await compress(input, { format });
      expect(contentType).toBe(`image/${format}`);
      expect(seen.mediaType).toBe(`image/${format}`);
      expect([seen.width, seen.height]).toEqual([120, 80]);
      expect(await meanDifference(bytes, input)).toBeLessThan(6);
    }
  });

  it('less of less quality, and something lossless of webp and avif at quality 1', async () => {
    const input = await scene(200, 200).png().toBuffer();
    for (const format of ['webp', 'jpeg', 'avif']) {
      const sizes: number[] = [];
      for (const quality of [0.1, 0.5, 0.95]) {
        sizes.push((await compress(input, { format, quality })).bytes.length);
      }
      expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
      expect(new Set(sizes).size).toBe(3);
    }
    for (const format of ['webp', 'avif', 'png']) {
      const { bytes } = await compress(input, { format, quality: 1 });
      expect(await meanDifference(bytes, input)).toBe(0);
    }
    for (const format of ['webp', 'avif']) {
      const { bytes } = await compress(input, { format, quality: 0.999 });
      expect(await meanDifference(bytes, input)).toBeGreaterThan(0);
    }
    const { bytes } = await compress(input, { format: 'png', quality: 0.1 });
    expect(await meanDifference(bytes, input)).toBe(0);
  });

  it('the asked-for format also where that is larger', async () => {
    const input = await scene(100, 100).webp({ quality: 20 }).toBuffer();
    const { bytes, seen } = await compress(input, { format: 'png' });
    expect(bytes.length).toBeGreaterThan(input.length);
    expect(seen.format).toBe('png');
  });

  it('transparency survive in webp, png and avif, and white of it in jpeg', async () => {
    const clear = {
      create: { width: 20, height: 20, channels: 4, background: '#ff000000' },
    } as const;
    const input = await sharp(clear).png().toBuffer();
    for (const format of ['webp', 'png', 'avif']) {
      const { bytes, seen } = await compress(input, { format });
      expect(seen.hasAlpha).toBe(true);
      expect((await sharp(bytes).stats()).channels[3]?.max).toBe(0);
    }
    const { bytes, seen } = await compress(input, { format: 'jpeg' });
    expect(seen.hasAlpha).toBe(false);
    expect((await sharp(bytes).stats()).channels.map(({ min }) => min)).toEqual([255, 255, 255]);
  });

  it('gray of colours', async () => {
    const { bytes } = await compress(await photo(), { grayscale: true, format: 'png' });
    const [r, g, b] = (await sharp(bytes).toColourspace('srgb').stats()).channels;
    expect(r?.mean).toBe(g?.mean);
    expect(g?.mean).toBe(b?.mean);
  });
});

describe('compress_image scales', () => {
  it.each([
    [{ width: 150 }, 150, 100],
    [{ height: 50 }, 75, 50],
    [{ width: 900 }, 900, 600],
    [{ width: 100, height: 100 }, 100, 100],
    [{ width: 100, height: 100, keepAspectRatio: true }, 100, 67],
    [{ width: 1000, height: 400, keepAspectRatio: true }, 600, 400],
    [{ keepAspectRatio: true }, 300, 200],
    [{ width: 1 }, 1, 1],
  ])('300 x 200 by %j', async (params, width, height) => {
    const { seen, meta } = await compress(await photo(), params);
    expect([seen.width, seen.height]).toEqual([width, height]);
    expect(meta).toMatchObject({ width, height, frames: 1, format: 'webp' });
  });

  it('by cropping at the centre', async () => {
    const input = await photo();
    const { bytes } = await compress(input, { width: 100, height: 200, format: 'png' });
    const centre = sharp(input).extract({ left: 100, top: 0, width: 100, height: 200 });
    expect(await meanDifference(bytes, await centre.png().toBuffer())).toBeLessThan(1);
  });

  it('no result beyond 16,383 pixels a side or 100 megapixels', async () => {
    for (const params of [
      { width: 16_384 },
      { height: 12_000 },
      { width: 16_000, height: 16_000 },
    ]) {
      await expect(refused(await photo(), params)).rejects.toMatchObject({ status: 413 });
    }
    const thin = await scene(4, 400).png().toBuffer();
    await expect(refused(thin, { width: 400 })).rejects.toMatchObject({
      status: 413,
      param: 'width',
    });
  });
});

describe('compress_image shows pictures upright', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'with EXIF orientation %i, and measures them so',
    async (orientation) => {
      const input = await scene(90, 60)
        .withMetadata({ orientation })
        .jpeg({ quality: 95 })
        .toBuffer();
      const { bytes, seen } = await compress(input, { format: 'png' });
      expect(seen.orientation).toBeUndefined();
      expect(await meanDifference(bytes, input)).toBeLessThan(1);
      const narrow = await compress(input, { width: 30 });
      expect([narrow.seen.width, narrow.seen.height]).toEqual([30, orientation > 4 ? 45 : 20]);
    },
  );

  it.each([3, 6])(
    'with an animated WebP of orientation %i, frame by frame',
    async (orientation) => {
      const flat = await animation('webp', 40, 20, ['red', 'blue']);
      const film = sharp(flat, { animated: true }).withMetadata({ orientation });
      const { seen, bytes } = await compress(await film.webp().toBuffer());
      const [width, height] = orientation === 6 ? [20, 40] : [40, 20];
      expect(seen).toMatchObject({
        width,
        pageHeight: height,
        pages: 2,
        delay: [100, 200],
        loop: 2,
      });
      const { channels } = await sharp(bytes, { page: 0 }).stats();
      expect(channels[0]?.mean).toBeGreaterThan(240);
    },
  );
});

describe('compress_image converts', () => {
  it('colour profiles to sRGB, and leaves none behind', async () => {
    const wide = sharp({ create: { width: 8, height: 8, channels: 3, background: '#c8320a' } });
    for (const kind of ['png', 'jpeg', 'tiff'] as const) {
      const input = await wide.clone().withIccProfile('p3')[kind]().toBuffer();
      const { bytes, seen } = await compress(input, { format: 'png' });
      expect(seen.icc).toBeUndefined();
      const { channels } = await sharp(bytes).stats();
      const off = [200, 50, 10].map((value, index) =>
        Math.abs(value - (channels[index]?.mean ?? 0)),
      );
      expect(Math.max(...off)).toBeLessThan(4);
    }
  });

  it('CMYK to sRGB', async () => {
    const input = await scene(60, 40).toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer();
    expect((await sharp(input).metadata()).space).toBe('cmyk');
    const { seen } = await compress(input, { format: 'jpeg' });
    expect(seen.space).toBe('srgb');
  });

  it('16 bits to 8', async () => {
    const input = await scene(60, 40).toColourspace('rgb16').png().toBuffer();
    const { bytes } = await compress(input, { format: 'webp', quality: 1 });
    expect(await meanDifference(bytes, input)).toBeLessThan(1);
  });

  it('no metadata along', async () => {
    const input = await scene(60, 40)
      .withExif({ IFD0: { Copyright: 'SECRET' }, IFD3: { GPSLatitudeRef: 'N' } })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><a>SECRET</a></x:xmpmeta>')
      .jpeg()
      .toBuffer();
    expect(input.includes('SECRET')).toBe(true);
    for (const format of ['webp', 'jpeg', 'png', 'avif']) {
      const { bytes, seen } = await compress(input, { format });
      expect(bytes.includes('SECRET')).toBe(false);
      expect([seen.exif, seen.xmp, seen.iptc, seen.icc]).toEqual([
        undefined,
        undefined,
        undefined,
        undefined,
      ]);
    }
  });
});

describe('compress_image reads HEIC', () => {
  it('really, with its pixels', async () => {
    const png = await scene(320, 240).png().toBuffer();
    for (const format of ['webp', 'jpeg', 'png']) {
      const { bytes, seen } = await compress(heic(png, '-q', '90'), { format }, 'IMG_1.HEIC');
      expect([seen.format, seen.width, seen.height]).toEqual([format, 320, 240]);
      expect(await meanDifference(bytes, png)).toBeLessThan(4);
    }
  });

  it('with its colour profile, converted', async () => {
    const wide = sharp({ create: { width: 64, height: 64, channels: 3, background: '#c8320a' } });
    const png = await wide.withIccProfile('p3').png().toBuffer();
    const { bytes, seen } = await compress(heic(png, '-q', '95'), { format: 'png' });
    expect(seen.icc).toBeUndefined();
    expect(await meanDifference(bytes, png)).toBeLessThan(3);
  });

  it('only once its size is judged', async () => {
    const bytes = heic(await scene(64, 48).png().toBuffer());
    // The image spatial extents property (ISO/IEC 23008-12 §6.5.3).
    for (let at = bytes.indexOf('ispe'); at > 0; at = bytes.indexOf('ispe', at + 4)) {
      bytes.writeUInt32BE(20_000, at + 8);
      bytes.writeUInt32BE(10_000, at + 12);
    }
    await expect(refused(bytes)).rejects.toMatchObject({ status: 413 });
  });

  it('and refuses one that is cut off', async () => {
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
  ])('also where it is %s', async (_, attributes, width, height) => {
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

  it('with what is as large in it as its units say', async () => {
    const square = '<rect x="10" y="10" width="1cm" height="24pt" fill="red"/>';
    const drawing = svg('width="200" height="100"', square);
    const { bytes } = await compress(drawing, { format: 'png' });
    const { info } = await sharp(bytes).trim().toBuffer({ resolveWithObject: true });
    // 37.8 and 32 of 200 x 100, drawn as 800 x 400.
    expect(info.width).toBeGreaterThanOrEqual(151);
    expect(info.width).toBeLessThanOrEqual(152);
    expect(info.height).toBe(128);
  });

  it('sharply where it is enlarged, with its transparency', async () => {
    const edge = svg('width="10" height="10"', '<rect width="5" height="10" fill="black"/>');
    const { bytes } = await compress(edge, { width: 1000, format: 'png' });
    const { data } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    expect([data[490 * 4 + 3], data[510 * 4 + 3]]).toEqual([255, 0]);
  });

  it('without anything from outside', async () => {
    const { folder } = await import('./test-pictures.ts');
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
      const { bytes } = await compress(bare, { format: 'png' });
      expect((await sharp(bytes).stats()).channels[3]?.max).toBe(0);
      const withEntity = Buffer.concat([
        Buffer.from(entity),
        svg('width="9" height="9"', '<text y="8">&x;</text>'),
      ]);
      const drawn = await compress(withEntity, { format: 'png' }).catch((error) => error);
      expect(drawn.status ?? (await sharp(drawn.bytes).stats()).channels[3]?.max).toSatisfy(
        (value: number) => value === 400 || value === 0,
      );
    }
  });
});

describe('compress_image keeps animations', () => {
  it.each(['gif', 'webp'] as const)('of %s in webp, with delays and loop', async (kind) => {
    const input = await animation(kind, 40, 30, ['red', 'lime', 'blue']);
    const { seen, meta } = await compress(input, { width: 20, quality: 0.5 });
    expect(seen).toMatchObject({
      pages: 3,
      pageHeight: 15,
      width: 20,
      delay: [100, 200, 300],
      loop: 2,
    });
    expect(meta).toMatchObject({ frames: 3, width: 20, height: 15, warnings: [] });
    const cropped = await compress(input, { width: 10, height: 10 });
    expect(cropped.seen).toMatchObject({ pages: 3, pageHeight: 10, width: 10 });
  });

  it('as their first frame elsewhere, and says so', async () => {
    const input = await animation('gif', 40, 30, ['red', 'lime']);
    for (const format of ['png', 'jpeg', 'avif']) {
      const { seen, meta } = await compress(input, { format });
      expect([seen.width, seen.height, seen.pages ?? 1]).toEqual([40, 30, 1]);
      expect(meta.warnings).toEqual([expect.stringMatching(/2 pages or frames/)]);
    }
  });
});

describe('compress_image refuses', () => {
  it('more than 100 megapixels, before decoding them', async () => {
    const black = { width: 12_000, height: 9000, channels: 3, background: 'black' } as const;
    const input = await sharp({ create: black, limitInputPixels: false }).png().toBuffer();
    const started = performance.now();
    await expect(refused(input)).rejects.toMatchObject({
      status: 413,
      message: expect.stringContaining('12000 x 9000'),
    });
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  it.each(['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'] as const)(
    'a %s that is cut off, naming it',
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

  it('what is no picture, saying what it is', async () => {
    const samples: [string, string][] = [
      ['%PDF-1.7\n', 'a PDF'],
      ['\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'a video'],
      ['BM\x46\0\0\0\0\0\0\0\x36', 'a BMP'],
      ['\x1f\x8b\x08\0\0\0', 'gzip, as SVGZ'],
      ['\xff\xfe<\0s\0v\0g\0', 'UTF-16: save an SVG as UTF-8'],
      ['just words', 'not a picture'],
      ['<html><svg></svg></html>', 'not a picture'],
    ];
    for (const [content, word] of samples) {
      await expect(refused(Buffer.from(content, 'latin1'))).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining(word),
      });
    }
  });

  it('noise behind every signature', async () => {
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
});
