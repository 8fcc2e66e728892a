/** Tests the results of compress_image. */
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { compress, photo, refused } from './test-compress.ts';
import { animation, emptyFolder, meanDifference, scene } from './test-images.ts';

afterAll(emptyFolder);

describe('compress_image', () => {
  it.each(['webp', 'jpeg', 'png', 'avif'])('converts every kind of image to %s', async (format) => {
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

  it('makes smaller files for lower quality, and lossless webp, avif and png at quality 1', async () => {
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

  it('uses the requested format even if the result is larger', async () => {
    const input = await scene(100, 100).webp({ quality: 20 }).toBuffer();
    const { bytes, seen } = await compress(input, { format: 'png' });
    expect(bytes.length).toBeGreaterThan(input.length);
    expect(seen.format).toBe('png');
  });

  it('keeps transparency in webp, png and avif, and fills it with white in jpeg', async () => {
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

  it('converts colors to grayscale', async () => {
    const png = await compress(await photo(), { grayscale: true, format: 'png' });
    expect(png.seen.space).toBe('b-w');
    const webp = await compress(await photo(), { grayscale: true });
    const [r, g, b] = (await sharp(webp.bytes).stats()).channels.map(({ mean }) => mean);
    expect(g).toBeCloseTo(r ?? 0, 0);
    expect(b).toBeCloseTo(r ?? 0, 0);
  });
});

describe('compress_image, given a size,', () => {
  it.each([
    [{ width: 150 }, 150, 100],
    [{ height: 50 }, 75, 50],
    [{ width: 900 }, 900, 600],
    [{ width: 100, height: 100 }, 100, 100],
    [{ width: 100, height: 100, keepAspectRatio: true }, 100, 67],
    [{ width: 1000, height: 400, keepAspectRatio: true }, 600, 400],
    [{ keepAspectRatio: true }, 300, 200],
    [{ width: 1 }, 1, 1],
  ])('scales 300 x 200 by %j', async (params, width, height) => {
    const { seen, meta } = await compress(await photo(), params);
    expect([seen.width, seen.height]).toEqual([width, height]);
    expect(meta).toMatchObject({ width, height, frames: 1, format: 'webp' });
  });

  it('crops at the center', async () => {
    const input = await photo();
    const { bytes } = await compress(input, { width: 100, height: 200, format: 'png' });
    const center = sharp(input).extract({ left: 100, top: 0, width: 100, height: 200 });
    expect(await meanDifference(bytes, await center.png().toBuffer())).toBeLessThan(1);
  });

  it('refuses results over 16,383 pixels a side or 100 megapixels', async () => {
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

describe('compress_image applies the EXIF orientation', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    '%i to the pixels and the reported dimensions',
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

  it.each([3, 6])('%i to each frame of an animated WebP', async (orientation) => {
    const flat = await animation('webp', 40, 20, ['red', 'blue']);
    const clip = sharp(flat, { animated: true }).withMetadata({ orientation });
    const { seen, bytes } = await compress(await clip.webp().toBuffer());
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
  });
});

describe('compress_image converts', () => {
  it('color profiles to sRGB, and removes them', async () => {
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
    const input = await scene(60, 40).toColorspace('cmyk').jpeg({ quality: 95 }).toBuffer();
    expect((await sharp(input).metadata()).space).toBe('cmyk');
    const { seen } = await compress(input, { format: 'jpeg' });
    expect(seen.space).toBe('srgb');
  });

  it('16 bits to 8', async () => {
    const input = await scene(60, 40).toColorspace('rgb16').png().toBuffer();
    const { bytes } = await compress(input, { format: 'webp', quality: 1 });
    expect(await meanDifference(bytes, input)).toBeLessThan(1);
  });

  it('files without copying their metadata', async () => {
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
