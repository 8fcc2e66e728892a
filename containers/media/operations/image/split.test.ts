import sharp, { type Sharp } from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { animation, emptyFolder, heic, meanDifference, scene, svg } from './test-images.ts';
import { sizeOf, split } from './test-split.ts';

afterAll(emptyFolder);

describe('split_image in a grid', () => {
  it.each([
    [2, 3, 90, 60],
    [3, 3, 100, 70],
    [1, 4, 41, 9],
    [7, 1, 5, 20],
    [20, 20, 401, 203],
  ])(
    'of %i rows and %i columns cuts %i x %i pixels without losing one',
    async (rows, cols, width, height) => {
      const bytes = await scene(width, height, 4).png().toBuffer();
      const { names, parts, contentType, meta } = await split(bytes, { rows, cols });
      expect(contentType).toBe('application/zip');
      expect(meta.panels).toBe(rows * cols);
      const digits = rows * cols > 99 ? 3 : 2;
      expect(names[0]).toBe(`panel-${'1'.padStart(digits, '0')}.png`);
      expect(names.length).toBe(rows * cols);
      const sizes = await Promise.all(parts.map(sizeOf));
      const layers: { input: Buffer; left: number; top: number }[] = [];
      let top = 0;
      for (let row = 0; row < rows; row += 1) {
        let left = 0;
        for (let col = 0; col < cols; col += 1) {
          layers.push({ input: parts[row * cols + col] as Buffer, left, top });
          left += sizes[row * cols + col]?.[0] ?? 0;
        }
        expect(left).toBe(width);
        top += sizes[row * cols]?.[1] ?? 0;
      }
      expect(top).toBe(height);
      const whole = await sharp(bytes).raw().toBuffer();
      const again = Buffer.alloc(whole.length);
      for (const { input, left, top: above } of layers) {
        const { data, info } = await sharp(input).raw().toBuffer({ resolveWithObject: true });
        for (let y = 0; y < info.height; y += 1) {
          const from = data.subarray(y * info.width * 4, (y + 1) * info.width * 4);
          again.set(from, ((above + y) * width + left) * 4);
        }
      }
      expect(again.equals(whole)).toBe(true);
      const widths = sizes.map(([partWidth]) => partWidth ?? 0);
      expect(Math.max(...widths) - Math.min(...widths)).toBeLessThanOrEqual(1);
    },
  );

  it.each([
    ['a color profile', (image: Sharp) => image.withIccProfile('p3').png()],
    ['16 bits', (image: Sharp) => image.toColorspace('rgb16').png()],
    ['16 bits of gray', (image: Sharp) => image.toColorspace('grey16').png()],
    ['a palette', (image: Sharp) => image.png({ palette: true })],
  ])('keeps the pixels of a PNG with %s', async (_, make) => {
    const bytes = await make(scene(40, 30)).toBuffer();
    const { parts } = await split(bytes, { rows: 1, cols: 2 });
    const raw = (image: Sharp) => image.raw({ depth: 'ushort' }).toBuffer();
    const { space = 'srgb', icc } = await sharp(bytes).metadata();
    const options = { ignoreIcc: true };
    const left = sharp(bytes, options).extract({ left: 0, top: 0, width: 20, height: 30 });
    const part = parts[0] as Buffer;
    expect(
      (await raw(sharp(part, options).toColorspace(space))).equals(
        await raw(left.toColorspace(space)),
      ),
    ).toBe(true);
    expect((await sharp(part).metadata()).icc?.length).toBe(icc?.length);
    expect((await sharp(part).metadata()).depth).toBe((await sharp(bytes).metadata()).depth);
  });

  it('keeps jpeg and webp, and converts other formats to png', async () => {
    for (const [kind, extension] of [
      ['jpeg', 'jpg'],
      ['webp', 'webp'],
      ['png', 'png'],
      ['gif', 'png'],
      ['tiff', 'png'],
      ['avif', 'png'],
    ] as const) {
      const bytes = await scene(60, 40)[kind]().toBuffer();
      const { names, parts } = await split(bytes, { rows: 2, cols: 1 });
      expect(names).toEqual([`panel-01.${extension}`, `panel-02.${extension}`]);
      const upper = await sharp(bytes)
        .extract({ left: 0, top: 0, width: 60, height: 20 })
        .png()
        .toBuffer();
      expect(await meanDifference(parts[0] as Buffer, upper)).toBeLessThan(4);
    }
    const png = await scene(60, 40).png().toBuffer();
    expect((await split(heic(png), { rows: 1, cols: 2 })).names).toEqual([
      'panel-01.png',
      'panel-02.png',
    ]);
    const drawing = svg('width="60" height="30"', '<rect width="60" height="30" fill="teal"/>');
    const { parts } = await split(drawing, { rows: 1, cols: 2 });
    expect(await sizeOf(parts[0] as Buffer)).toEqual([125, 125]);
  });

  it('splits the image as displayed, upright and without metadata', async () => {
    const exif = { IFD0: { Copyright: 'SECRET' } };
    const bytes = await scene(60, 40)
      .withExif(exif)
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { parts } = await split(bytes, { rows: 3, cols: 1 });
    expect(await sizeOf(parts[0] as Buffer)).toEqual([40, 20]);
    expect((parts[0] as Buffer).includes('SECRET')).toBe(false);
    const upright = await sharp(await sharp(bytes).autoOrient().png().toBuffer())
      .extract({ left: 0, top: 0, width: 40, height: 20 })
      .png()
      .toBuffer();
    expect(await meanDifference(parts[0] as Buffer, upright)).toBeLessThan(4);
  });

  it('warns that only the first frame of an animation was split', async () => {
    const { meta } = await split(await animation('gif', 40, 30, ['red', 'blue']), {
      rows: 1,
      cols: 2,
    });
    expect(meta.warnings).toEqual([expect.stringContaining('2 pages or frames')]);
  });

  it('refuses more parts than pixels, PDFs and damaged images', async () => {
    const bytes = await scene(10, 5).png().toBuffer();
    await expect(split(bytes, { rows: 6, cols: 1 })).rejects.toMatchObject({
      status: 400,
      param: 'rows',
    });
    await expect(split(bytes, { rows: 1, cols: 11 })).rejects.toMatchObject({
      status: 400,
      param: 'cols',
    });
    await expect(split(Buffer.from('%PDF-1.7'), { rows: 1, cols: 1 })).rejects.toMatchObject({
      status: 400,
    });
    const whole = await scene(300, 200).jpeg().toBuffer();
    await expect(split(whole.subarray(0, 1500), { rows: 2, cols: 2 })).rejects.toMatchObject({
      status: 400,
    });
  });
});

describe('split_image by given boxes', () => {
  it('crops each box in reading order, limited to the image', async () => {
    const bytes = await scene(100, 80).png().toBuffer();
    const boxes = [
      { x: 50, y: 0, width: 80, height: 40 },
      { x: 0, y: 40.2, width: 100, height: 39.5 },
      { x: -10, y: 0, width: 60, height: 40 },
      { x: 500, y: 0, width: 10, height: 10 },
    ];
    const halved = (box: Record<string, number>) =>
      Object.fromEntries(Object.entries(box).map(([name, value]) => [name, value / 2]));
    const { parts } = await split(bytes, {
      boxes: boxes.map(halved),
      of: { width: 50, height: 40 },
    });
    expect(await Promise.all(parts.map(sizeOf))).toEqual([
      [50, 40],
      [50, 40],
      [100, 40],
    ]);
  });
});
