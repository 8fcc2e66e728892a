/** Tests that animated PNGs are decoded as FFmpeg decodes them. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { animatedPng, type DrawnFrame, movingPng } from './test-animated-png.ts';
import { compress } from './test-compress.ts';
import { emptyFolder, folder } from './test-images.ts';

afterAll(emptyFolder);

/** Returns the frames as RGBA, stacked vertically. */
function decodedByFfmpeg(png: Buffer): Buffer {
  const path = join(folder, 'decoded.png');
  writeFileSync(path, png);
  const pixels = ['-f', 'rawvideo', '-pix_fmt', 'rgba', '-'];
  return execFileSync('ffmpeg', [
    ...['-v', 'error', '-f', 'apng', '-i', path],
    ...['-vsync', 'passthrough', ...pixels],
  ]);
}

/** Returns the pixels as RGBA. Fully transparent pixels lose their color, because it is invisible. */
async function visible(pixels: Buffer): Promise<Buffer> {
  for (let at = 0; at < pixels.length; at += 4)
    if (pixels[at + 3] === 0) pixels.fill(0, at, at + 4);
  return pixels;
}

const framesOf = (webp: Buffer) =>
  sharp(webp, { animated: true }).ensureAlpha().raw().toBuffer().then(visible);

function mostDifferent(one: Buffer, other: Buffer): number {
  expect(one.length).toBe(other.length);
  return one.reduce((most, value, at) => Math.max(most, Math.abs(value - other[at]!)), 0);
}

const frame = (given: Partial<DrawnFrame>): DrawnFrame => ({
  width: 8,
  height: 6,
  left: 4,
  top: 3,
  delay: 100,
  color: '#ff0000',
  disposal: 'none',
  isOver: false,
  ...given,
});

const WHOLE = { width: 30, height: 20, left: 0, top: 0 };

describe('an animated PNG as webp', () => {
  it('keeps frames that are parts of the image', async () => {
    const png = movingPng(folder);
    const { bytes, seen } = await compress(png, { quality: 1 });
    expect(seen).toMatchObject({ pages: 2, width: 64, pageHeight: 48, delay: [100, 100], loop: 1 });
    expect(mostDifferent(await framesOf(bytes), await visible(decodedByFfmpeg(png)))).toBe(0);
  });

  it.each([
    ['blended frames', 'none', true],
    ['replaced areas', 'none', false],
    ['areas that are cleared', 'background', true],
    ['areas that are restored', 'previous', true],
  ] as const)('shows %s, with their delays and repetitions', async (_, disposal, isOver) => {
    const png = await animatedPng([
      frame({ ...WHOLE, color: 'rgba(0, 90, 200, 0.6)', delay: 40 }),
      frame({ disposal, isOver, color: 'rgba(255, 0, 0, 0.5)', delay: 250 }),
      frame({ disposal, isOver, left: 8, color: '#00ff00' }),
      frame({ isOver, left: 20, top: 10, color: 'rgba(255, 255, 255, 0.2)' }),
    ]);
    const { bytes, seen, meta } = await compress(png, { quality: 1 });
    expect(seen).toMatchObject({ pages: 4, delay: [40, 250, 100, 100], loop: 3 });
    expect(meta.warnings).toEqual([]);
    const found = await framesOf(bytes);
    expect(mostDifferent(found, await visible(decodedByFfmpeg(png)))).toBeLessThanOrEqual(2);
  });

  it('is scaled frame by frame', async () => {
    const { seen, meta } = await compress(movingPng(folder), { width: 32 });
    expect(seen).toMatchObject({ pages: 2, width: 32, pageHeight: 24 });
    expect(meta).toMatchObject({ frames: 2, width: 32, height: 24 });
  });

  it('whose frames lie outside its canvas gives its first image, with a warning', async () => {
    const png = await animatedPng([frame(WHOLE), frame({ left: 29 })]);
    const { seen, meta } = await compress(png);
    expect(seen.pages ?? 1).toBe(1);
    expect(meta.warnings).toContainEqual(expect.stringContaining('is animated'));
  });
});
