import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import type { Box } from './panels/box.ts';
import { emptyFolder, meanDifference, scene, svg } from './test-images.ts';
import { sizeOf, split } from './test-split.ts';

afterAll(emptyFolder);

/** Makes a page with these panels. Each panel contains a different drawing. */
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

/** Splits an image along its gutters, and compares each panel with the expected region of the page. */
async function expectPanels(bytes: Buffer, panels: readonly Box[], slack = 3): Promise<void> {
  const { parts, meta } = await split(bytes, {});
  expect(meta.panels).toBe(panels.length);
  for (const [index, { x, y, width, height }] of panels.entries()) {
    const part = parts[index] as Buffer;
    const [w = 0, h = 0] = await sizeOf(part);
    expect(Math.abs(w - width)).toBeLessThanOrEqual(slack);
    expect(Math.abs(h - height)).toBeLessThanOrEqual(slack);
    const center = {
      left: Math.round(x + width / 4),
      top: Math.round(y + height / 4),
      width: Math.round(width / 2),
      height: Math.round(height / 2),
    };
    const expected = await sharp(bytes)
      .extract(center)
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

  it('a grid of 25 panels with gutters of 8 pixels on a large page', () =>
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

  it('the unequal rows of a comic, with a tall panel before the stack beside it', async () => {
    await expectPanels(await page(900, 1200, comic), comic);
  });

  it('panels that bleed off the page', async () => {
    const bleeding: Box[] = [
      { x: 0, y: 0, width: 900, height: 380 },
      { x: 0, y: 400, width: 440, height: 380 },
      { x: 460, y: 400, width: 440, height: 380 },
      { x: 0, y: 800, width: 900, height: 400 },
    ];
    await expectPanels(await page(900, 1200, bleeding), bleeding);
    await expectPanels(await page(900, 1200, bleeding, '#000000'), bleeding);
  });

  it('panels within margins, next to bleeding panels with a plain background', async () => {
    const panels: Box[] = [
      { x: 0, y: 0, width: 900, height: 525 },
      { x: 30, y: 540, width: 412, height: 375 },
      { x: 457, y: 540, width: 413, height: 375 },
      { x: 0, y: 930, width: 900, height: 420 },
    ];
    const dots = Array.from(
      { length: 10 },
      (_, dot) => `<circle cx="${580 + (dot >> 1) * 66}" cy="${150 + (dot % 2) * 200}" r="28"/>`,
    );
    const drawn = `<rect x="20" y="30" width="520" height="460"/>${dots.join('')}`;
    const flat = panels.map(
      (
        { x, y, width, height },
        index,
      ) => `<svg x="${x}" y="${y}" width="${width}" height="${height}">
        <rect width="100%" height="100%" fill="hsl(${index * 100},50%,60%)"/>${index ? '' : drawn}</svg>`,
    );
    await expectPanels(await page(900, 1350, [], '#ffffff', flat.join('')), panels);
  });

  it('white panels whose frames touch the edge of the image', async () => {
    const panels = gridOf(900, 900, 2, 3, 20, 0);
    const frames = panels.map(
      ({ x, y, width, height }) =>
        `<rect x="${x + 2}" y="${y + 2}" width="${width - 4}" height="${height - 4}" fill="white" stroke="black" stroke-width="4"/>
         <circle cx="${x + 90}" cy="${y + 120}" r="50"/>`,
    );
    await expectPanels(await page(900, 900, [], '#ffffff', frames.join('')), panels);
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

  it('panels in a pinwheel layout', async () => {
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

  it('white panels by their frames, despite their content', async () => {
    const panels = gridOf(900, 900, 2, 2, 24);
    const frames = panels.map(
      ({ x, y, width, height }) =>
        `<rect x="${x + 2}" y="${y + 2}" width="${width - 4}" height="${height - 4}" fill="white" stroke="black" stroke-width="4"/>
         <circle cx="${x + 90}" cy="${y + 120}" r="50"/><rect x="${x + 250}" y="${y + 250}" width="90" height="90"/>`,
    );
    await expectPanels(await page(900, 900, [], '#ffffff', frames.join('')), panels);
  });

  it('panels, and excludes captions and page numbers', async () => {
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
