import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import type { Box } from './panels/box.ts';
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

/** Splits a picture, and unpacks the ZIP with a program that is not ours. */
async function split(bytes: Buffer, params: Record<string, unknown>, name = 'page.png') {
  const ran = await operate('split_image', params, [[name, bytes]]);
  const directory = mkdtempSync(join(folder, 'zip-'));
  const path = join(directory, 'panels.zip');
  writeFileSync(path, ran.bytes);
  if (ran.meta.panels !== 0) run('unzip', '-q', path, '-d', directory);
  const names = readdirSync(directory)
    .filter((entry) => entry !== 'panels.zip')
    .sort();
  const parts = names.map((entry) => readFileSync(join(directory, entry)));
  return { ...ran, names, parts };
}

const sizeOf = async (bytes: Buffer) => {
  const { width, height } = await sharp(bytes).metadata();
  return [width, height];
};

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
    ['a colour profile', (picture: Sharp) => picture.withIccProfile('p3').png()],
    ['16 bits', (picture: Sharp) => picture.toColourspace('rgb16').png()],
    ['16 bits of gray', (picture: Sharp) => picture.toColourspace('grey16').png()],
    ['a palette', (picture: Sharp) => picture.png({ palette: true })],
  ])('keeps the pixels of a png with %s', async (_, make) => {
    const bytes = await make(scene(40, 30)).toBuffer();
    const { parts } = await split(bytes, { rows: 1, cols: 2 });
    const raw = (picture: Sharp) => picture.raw({ depth: 'ushort' }).toBuffer();
    const { space = 'srgb', icc } = await sharp(bytes).metadata();
    const options = { ignoreIcc: true };
    const left = sharp(bytes, options).extract({ left: 0, top: 0, width: 20, height: 30 });
    const part = parts[0] as Buffer;
    expect(
      (await raw(sharp(part, options).toColourspace(space))).equals(
        await raw(left.toColourspace(space)),
      ),
    ).toBe(true);
    expect((await sharp(part).metadata()).icc?.length).toBe(icc?.length);
    expect((await sharp(part).metadata()).depth).toBe((await sharp(bytes).metadata()).depth);
  });

  it('leaves jpeg and webp what they are, and makes png of all others', async () => {
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

  it('cuts the picture as it is seen, upright and without metadata', async () => {
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

  it('says that of an animation only the first frame was split', async () => {
    const { meta } = await split(await animation('gif', 40, 30, ['red', 'blue']), {
      rows: 1,
      cols: 2,
    });
    expect(meta.warnings).toEqual([expect.stringContaining('2 pages or frames')]);
  });

  it('refuses more parts than pixels, PDFs and damaged pictures', async () => {
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

describe('split_image by boxes that somebody has found', () => {
  it('crops each, in reading order, what lies outside left away', async () => {
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

/** A page with these panels, each filled with a drawing of its own. */
function page(
  width: number,
  height: number,
  panels: readonly Box[],
  gutter = '#ffffff',
  extra = '',
): Promise<Buffer> {
  const drawn = panels.map((box, index) => {
    const { x, y, width: w, height: h } = box;
    const hue = (index * 67) % 360;
    return `<svg x="${x}" y="${y}" width="${w}" height="${h}" viewBox="0 0 100 100" preserveAspectRatio="none">
      <rect width="100" height="100" fill="hsl(${hue},60%,45%)"/>
      <circle cx="${30 + index * 3}" cy="45" r="22" fill="hsl(${hue + 120},70%,70%)"/>
      <path d="M0 ${60 + index} L100 80 L100 100 L0 100 Z" fill="hsl(${hue + 200},50%,35%)"/>
      <path d="M5 15 H70 M5 22 H60" stroke="white" stroke-width="3"/></svg>`;
  });
  const content = `<rect width="${width}" height="${height}" fill="${gutter}"/>${drawn.join('')}${extra}`;
  return sharp(svg(`width="${width}" height="${height}"`, content))
    .flatten()
    .png()
    .toBuffer();
}

const gridOf = (
  width: number,
  height: number,
  rows: number,
  cols: number,
  gutter: number,
  margin = gutter,
): Box[] =>
  Array.from({ length: rows * cols }, (_, index) => {
    const w = (width - 2 * margin - (cols - 1) * gutter) / cols;
    const h = (height - 2 * margin - (rows - 1) * gutter) / rows;
    const [row, col] = [Math.floor(index / cols), index % cols];
    return { x: margin + col * (w + gutter), y: margin + row * (h + gutter), width: w, height: h };
  });

/** Splits by gutters and compares every panel with the part of the page that it should be. */
async function expectPanels(bytes: Buffer, panels: readonly Box[], slack = 3): Promise<void> {
  const { parts, meta } = await split(bytes, {});
  expect(meta.panels).toBe(panels.length);
  for (const [index, { x, y, width, height }] of panels.entries()) {
    const part = parts[index] as Buffer;
    const [w = 0, h = 0] = await sizeOf(part);
    expect(Math.abs(w - width)).toBeLessThanOrEqual(slack);
    expect(Math.abs(h - height)).toBeLessThanOrEqual(slack);
    const centre = {
      left: Math.round(x + width / 4),
      top: Math.round(y + height / 4),
      width: Math.round(width / 2),
      height: Math.round(height / 2),
    };
    const expected = await sharp(bytes)
      .extract(centre)
      .resize(24, 24, { fit: 'fill' })
      .png()
      .toBuffer();
    const seen = await sharp(part)
      .extract({
        left: Math.round(w / 4),
        top: Math.round(h / 4),
        width: Math.round(w / 2),
        height: Math.round(h / 2),
      })
      .resize(24, 24, { fit: 'fill' })
      .png()
      .toBuffer();
    expect(await meanDifference(seen, expected)).toBeLessThan(12);
  }
}

describe('split_image by gutters finds', () => {
  it('a grid of 4 x 3', () =>
    page(900, 1200, gridOf(900, 1200, 4, 3, 24)).then((bytes) =>
      expectPanels(bytes, gridOf(900, 1200, 4, 3, 24)),
    ));

  it('a grid of 25 with gutters of 8 pixels on a large page', () =>
    page(2400, 2400, gridOf(2400, 2400, 5, 5, 8)).then((bytes) =>
      expectPanels(bytes, gridOf(2400, 2400, 5, 5, 8), 6),
    ));

  it.each(['#000000', '#1b2430', '#7a5a3c', '#f5ecd0'])(
    'panels between gutters of %s',
    async (gutter) => {
      const panels = gridOf(900, 900, 3, 3, 20);
      const jpeg = await sharp(await page(900, 900, panels, gutter))
        .jpeg({ quality: 70 })
        .toBuffer();
      const { meta } = await split(jpeg, {});
      expect(meta.panels).toBe(9);
      await expectPanels(await page(900, 900, panels, gutter), panels);
    },
  );

  const comic: Box[] = [
    { x: 30, y: 30, width: 840, height: 260 },
    { x: 30, y: 310, width: 300, height: 400 },
    { x: 350, y: 310, width: 520, height: 190 },
    { x: 350, y: 520, width: 520, height: 190 },
    { x: 30, y: 730, width: 270, height: 440 },
    { x: 320, y: 730, width: 270, height: 440 },
    { x: 610, y: 730, width: 260, height: 440 },
  ];

  it('the unequal rows of a comic, a tall panel before the stack beside it', async () => {
    await expectPanels(await page(900, 1200, comic), comic);
  });

  it('panels that bleed over the edge of the page', async () => {
    const bleeding: Box[] = [
      { x: 0, y: 0, width: 900, height: 380 },
      { x: 0, y: 400, width: 440, height: 380 },
      { x: 460, y: 400, width: 440, height: 380 },
      { x: 0, y: 800, width: 900, height: 400 },
    ];
    await expectPanels(await page(900, 1200, bleeding), bleeding);
    await expectPanels(await page(900, 1200, bleeding, '#000000'), bleeding);
  });

  it.each([-2, -1, -0.5, 0.5, 1, 2])(
    'the panels of a page that was scanned %f degrees askew',
    async (angle) => {
      const straight = await page(900, 1200, comic);
      const askew = await sharp(straight).rotate(angle, { background: 'white' }).png().toBuffer();
      const { meta } = await split(askew, {});
      expect(meta.panels).toBe(comic.length);
    },
  );

  it('panels that lie like a pinwheel', async () => {
    const pinwheel: Box[] = [
      { x: 20, y: 20, width: 560, height: 260 },
      { x: 600, y: 20, width: 280, height: 560 },
      { x: 300, y: 300, width: 280, height: 280 },
      { x: 20, y: 300, width: 260, height: 580 },
      { x: 300, y: 600, width: 580, height: 280 },
    ];
    const { parts } = await split(await page(900, 900, pinwheel), {});
    const sizes = (await Promise.all(parts.map(sizeOf))).map((size) => size.join('x')).sort();
    expect(sizes).toEqual(pinwheel.map(({ width, height }) => `${width}x${height}`).sort());
    expect(await sizeOf(parts[0] as Buffer)).toEqual([560, 260]);
  });

  it('white panels by their frames, whatever is drawn in them', async () => {
    const panels = gridOf(900, 900, 2, 2, 24);
    const frames = panels.map(
      ({ x, y, width, height }) =>
        `<rect x="${x + 2}" y="${y + 2}" width="${width - 4}" height="${height - 4}" fill="white" stroke="black" stroke-width="4"/>
         <circle cx="${x + 90}" cy="${y + 120}" r="50"/><rect x="${x + 250}" y="${y + 250}" width="90" height="90"/>`,
    );
    await expectPanels(await page(900, 900, [], '#ffffff', frames.join('')), panels);
  });

  it('panels, and leaves captions and page numbers away', async () => {
    const panels = gridOf(900, 900, 2, 2, 60);
    const captions = panels.map(
      ({ x, y, height }) =>
        `<text x="${x}" y="${y + height + 30}" font-size="20">A line of words below</text>`,
    );
    const text = `${captions.join('')}<text x="440" y="890" font-size="16">17</text>`;
    await expectPanels(await page(900, 900, panels, '#ffffff', text), panels);
  });

  it('panels inside the dark edge of a scan', async () => {
    const panels = gridOf(900, 900, 2, 3, 40, 60);
    const edge =
      '<rect x="10" y="10" width="880" height="880" fill="none" stroke="#222" stroke-width="20"/>';
    await expectPanels(await page(900, 900, panels, '#ffffff', edge), panels);
  });
});

describe('split_image by gutters finds nothing', () => {
  it('in a line of words', async () => {
    const words = svg(
      'width="200" height="60"',
      '<text x="10" y="40" font-size="30">Hello Tools</text>',
    );
    expect((await split(words, {})).meta.panels).toBe(0);
  });

  it('in a photo, a blank page or a single panel', async () => {
    const single = await page(600, 600, gridOf(600, 600, 1, 1, 30));
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
    const noisy = sharp({
      create: { width: 300, height: 200, channels: 3, background: 'gray', noise },
    });
    const blank = sharp({ create: { width: 300, height: 200, channels: 3, background: 'white' } });
    for (const bytes of [
      await scene(300, 200).png().toBuffer(),
      await noisy.png().toBuffer(),
      await blank.png().toBuffer(),
      single,
    ]) {
      expect((await split(bytes, {})).meta.panels).toBe(0);
    }
  });
});
