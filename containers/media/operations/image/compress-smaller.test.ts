/** Tests compress_image's results for small inputs, and the encoder modes that it selects. */
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { movingPng } from './test-animated-png.ts';
import { compress } from './test-compress.ts';
import { emptyFolder, folder, meanDifference, scene, svg } from './test-images.ts';

afterAll(emptyFolder);

const FORMATS = ['jpeg', 'png', 'webp', 'avif'] as const;

const grain = (width: number, height: number, sigma: number) => {
  const noise = { type: 'gaussian', mean: 128, sigma } as const;
  return sharp({ create: { width, height, channels: 3, background: 'gray', noise } });
};

/**
 * Makes a file that re-encoding at quality 0.9 cannot make smaller. Its metadata contains a location, a comment and an
 * orientation.
 */
const small = (format: (typeof FORMATS)[number], orientation = 1) => {
  const encoding = { quality: 20, effort: 2, palette: true, mozjpeg: true };
  const settings = format === 'webp' ? { quality: 20, effort: 6 } : encoding;
  const location = { GPSLatitudeRef: 'N', GPSLatitude: '48/1' };
  const image = grain(240, 160, 50)
    .withExif({ IFD0: { Copyright: 'SECRET' }, IFD3: location })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><a>SECRET</a></x:xmpmeta>');
  return (orientation > 1 ? image.withMetadata({ orientation }) : image)
    [format](settings)
    .toBuffer();
};

/** Byte offsets in the header of a PNG (PNG specification, section 11.2.1). */
const BIT_DEPTH_AT = 24;
const COLOR_TYPE_AT = 25;
const INDEXED = 3;

/** Whether the AV1 configuration declares chroma subsampling (AV1 in ISOBMFF, section 2.3.3). */
const hasHalfColors = (avif: Buffer) => ((avif[avif.indexOf('av1C') + 6] ?? 0) & 0b1100) !== 0;

const exactPixels = (bytes: Buffer) => sharp(bytes).raw().toBuffer();

describe('an input that is already small', () => {
  it.each(['jpeg', 'webp', 'avif'] as const)(
    'is returned as %s with unchanged pixels and without its metadata',
    async (format) => {
      const input = await small(format);
      expect(input.includes('SECRET')).toBe(true);
      const { bytes, seen, meta } = await compress(input, { format });
      expect(bytes.length).toBeLessThanOrEqual(input.length);
      expect(await exactPixels(bytes)).toEqual(await exactPixels(input));
      expect(bytes.includes('SECRET')).toBe(false);
      expect(seen.xmp).toBeUndefined();
      expect(meta).toMatchObject({ format, width: 240, height: 160, warnings: [] });
    },
  );

  it('keeps the orientation of a JPEG', async () => {
    const input = await small('jpeg', 6);
    const { bytes, seen, meta } = await compress(input, { format: 'jpeg' });
    expect(seen.orientation).toBe(6);
    expect(bytes.includes('SECRET')).toBe(false);
    expect(await meanDifference(bytes, input)).toBe(0);
    expect(meta).toMatchObject({ width: 160, height: 240 });
  });

  it.each(['strip', 'keep'])(
    'is rotated if it is a WebP, because browsers ignore its orientation (metadata: %s)',
    async (metadata) => {
      const input = await small('webp', 6);
      const { bytes, seen } = await compress(input, { format: 'webp', metadata });
      expect([seen.orientation ?? 1, seen.width, seen.height]).toEqual([1, 160, 240]);
      const upright = await sharp(input).autoOrient().png().toBuffer();
      expect(await meanDifference(bytes, upright)).toBeLessThan(20);
    },
  );

  it('is never enlarged, in any format and quality', async () => {
    for (const format of FORMATS) {
      const input = await small(format);
      for (const quality of [0.1, 0.9, 1]) {
        const { bytes } = await compress(input, { format, quality });
        expect(bytes.length).toBeLessThanOrEqual(input.length);
      }
    }
  });

  it('is re-encoded if another size or grayscale is requested', async () => {
    const input = await small('jpeg');
    const gray = await compress(input, { format: 'jpeg', grayscale: true });
    const [red, green] = (await sharp(gray.bytes).stats()).channels;
    expect(red?.mean).toBe(green?.mean);
    const wide = await compress(input, { format: 'jpeg', width: 480 });
    expect(wide.seen.width).toBe(480);
    expect(wide.meta.warnings).toEqual([
      '"a.jpg" was enlarged from 240 x 160 to 480 x 320 pixels, which adds no detail.',
    ]);
  });

  it('loses data after its end, such as the video of a motion photo', async () => {
    const input = Buffer.concat([await small('jpeg'), Buffer.from('\0\0\0\x18ftypmp42SECRET')]);
    const { bytes } = await compress(input, { format: 'jpeg' });
    expect(bytes.includes('ftypmp42')).toBe(false);
    expect(bytes.subarray(-2).toString('hex')).toBe('ffd9');
  });

  it('converted to another format may be larger, with a warning that has both sizes', async () => {
    const input = await small('webp');
    const { bytes, meta } = await compress(input, { format: 'png' });
    expect(meta.warnings).toEqual([
      expect.stringContaining(`(${bytes.length} instead of ${input.length} bytes)`),
    ]);
  });
});

describe('metadata: keep', () => {
  it.each(FORMATS)('keeps EXIF, XMP and an upright orientation in %s', async (format) => {
    const input = await small('jpeg', 6);
    const { seen } = await compress(input, { format, metadata: 'keep', width: 40 });
    expect(seen.exif?.includes('SECRET')).toBe(true);
    expect(seen.xmp?.includes('SECRET')).toBe(true);
    expect([seen.orientation ?? 1, seen.width]).toEqual([1, 40]);
  });

  it('returns a small input unchanged', async () => {
    const input = await small('jpeg');
    const { bytes } = await compress(input, { format: 'jpeg', metadata: 'keep' });
    expect(bytes.equals(input)).toBe(true);
  });
});

const screenshot = (width = 600, height = 400) => {
  const lines = Array.from(
    { length: 20 },
    (_, index) => `<text x="150" y="${20 + index * 19}" font-size="14">Line ${index * 7919}</text>`,
  );
  const content = `<rect width="100%" height="100%" fill="#fafafa"/><rect width="130" height="100%" fill="#234"/>${lines.join('')}`;
  return sharp(svg(`width="${width}" height="${height}"`, content)).flatten();
};

describe('a PNG', () => {
  it('of two colors remains a 1-bit PNG in at most as many bytes', async () => {
    const input = await screenshot().grayscale().threshold(128).png({ colors: 2 }).toBuffer();
    const { bytes } = await compress(input, { format: 'png' });
    expect(bytes[BIT_DEPTH_AT]).toBe(1);
    expect(bytes.length).toBeLessThanOrEqual(input.length);
    expect(await meanDifference(bytes, input)).toBe(0);
  });

  it('with a palette remains one with exactly its colors', async () => {
    const input = await screenshot().png({ palette: true, colors: 200 }).toBuffer();
    const { bytes } = await compress(input, { format: 'png' });
    expect(bytes[COLOR_TYPE_AT]).toBe(INDEXED);
    expect(await meanDifference(bytes, input)).toBe(0);
  });

  it('of a photo gets a palette on request, in less than half of the bytes', async () => {
    const input = await grain(300, 200, 12).png().toBuffer();
    const [exact, few] = [
      await compress(input, { format: 'png' }),
      await compress(input, { format: 'png', palette: true }),
    ];
    expect(few.bytes[COLOR_TYPE_AT]).toBe(INDEXED);
    expect(few.bytes.length).toBeLessThan(exact.bytes.length / 2);
    expect(await meanDifference(few.bytes, input)).toBeLessThan(6);
  });

  it('of gradients stays exact if a palette would make it larger', async () => {
    const stops = '<stop offset="0" stop-color="#fff"/><stop offset="1" stop-color="#36c"/>';
    const input = await sharp(
      svg(
        'width="400" height="300"',
        `<linearGradient id="g" x2="0" y2="1">${stops}</linearGradient><rect width="100%" height="100%" fill="url(#g)"/>`,
      ),
    )
      .png()
      .toBuffer();
    const exact = await compress(input, { format: 'png' });
    const few = await compress(input, { format: 'png', palette: true });
    expect(few.bytes.length).toBeLessThanOrEqual(exact.bytes.length);
    expect(await meanDifference(few.bytes, input)).toBe(0);
  });

  it('that is animated becomes its first image, with a warning', async () => {
    const { meta } = await compress(movingPng(folder), { format: 'png', width: 32 });
    expect(meta.warnings).toContainEqual(expect.stringContaining('is animated'));
  });

  it('with an empty animation chunk is read as a still image', async () => {
    const png = await screenshot().png().toBuffer();
    const chunk = Buffer.from('\0\0\0\0acTL\0\0\0\0', 'latin1');
    chunk.writeUInt32BE(crc32('acTL'), 8);
    const afterHeader = 33;
    const input = [png.subarray(0, afterHeader), chunk, png.subarray(afterHeader)];
    const { meta } = await compress(Buffer.concat(input));
    expect(meta.warnings ?? []).not.toContainEqual(expect.stringContaining('is animated'));
  });
});

describe('a screenshot', () => {
  it('is lossless as webp if that is smaller', async () => {
    const input = await screenshot().png().toBuffer();
    const { bytes } = await compress(input);
    expect(await meanDifference(bytes, input)).toBe(0);
    const lossy = await sharp(input).webp({ quality: 90 }).toBuffer();
    expect(bytes.length).toBeLessThan(lossy.length);
  });

  it('with a gradient is lossy as webp, because lossless would be larger', async () => {
    const ball = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="600">
      <radialGradient id="g"><stop stop-color="#fff"/><stop offset="1" stop-color="#036"/></radialGradient>
      <rect width="900" height="600" fill="#fff"/><circle cx="450" cy="300" r="120" fill="url(#g)"/></svg>`;
    const input = await sharp(Buffer.from(ball)).png().toBuffer();
    const { bytes } = await compress(input);
    const lossless = await sharp(input).webp({ lossless: true }).toBuffer();
    expect(bytes.length).toBeLessThan(lossless.length / 2);
    expect(await meanDifference(bytes, input)).toBeLessThan(1);
  });

  it('keeps full color resolution as avif, unless its JPEG source is subsampled', async () => {
    const input = await screenshot().png().toBuffer();
    expect(hasHalfColors((await compress(input, { format: 'avif' })).bytes)).toBe(false);
    for (const chromaSubsampling of ['4:2:0', '4:4:4']) {
      const photo = await scene(120, 80).jpeg({ chromaSubsampling }).toBuffer();
      const { bytes } = await compress(photo, { format: 'avif', quality: 0.5 });
      expect(hasHalfColors(bytes)).toBe(chromaSubsampling === '4:2:0');
    }
  });
});

it('the palette option is ignored with a warning in other formats', async () => {
  const { meta } = await compress(await scene(60, 40).png().toBuffer(), { palette: true });
  expect(meta.warnings).toContainEqual(expect.stringMatching(/^`palette`/));
});
