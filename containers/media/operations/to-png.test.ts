import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { toPng } from './to-png.ts';

const directory = mkdtempSync(join(tmpdir(), 'to-png-'));
afterAll(() => rmSync(directory, { recursive: true }));

async function convert(bytes: Uint8Array): Promise<Buffer> {
  const path = join(directory, 'picture');
  writeFileSync(path, bytes);
  const file = { name: 'picture', size: statSync(path).size, path };
  const { open } = await toPng.run({}, [file], { directory, signal: new AbortController().signal });
  const chunks: Uint8Array[] = [];
  for await (const chunk of open()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const picture = () =>
  sharp({ create: { width: 40, height: 20, channels: 3, background: '#3366cc' } });

describe('to_png', () => {
  it.each(['jpeg', 'webp', 'gif', 'avif', 'png'] as const)('makes a PNG of %s', async (format) => {
    const png = await convert(await picture().toFormat(format).toBuffer());
    const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
    expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: 40, height: 20 });
    expect(info.width).toBe(40);
    expect(Math.abs((data[2] ?? 0) - 0xcc)).toBeLessThan(12);
  });

  it('shows it upright', async () => {
    const lying = await picture().withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect(await sharp(await convert(lying)).metadata()).toMatchObject({ width: 20, height: 40 });
  });

  it('refuses what is no picture, is cut off, or is huge, by name and without paths', async () => {
    const noise = await sharp({
      create: {
        width: 300,
        height: 300,
        channels: 3,
        background: '#000',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .jpeg()
      .toBuffer();
    const huge = await sharp({
      create: { width: 11_000, height: 10_000, channels: 3, background: '#fff' },
      limitInputPixels: false,
    })
      .png()
      .toBuffer();
    for (const bytes of [Buffer.from('hello'), noise.subarray(0, noise.length / 2), huge]) {
      const error = await convert(bytes).catch((thrown) => thrown);
      expect(error).toMatchObject({ status: 400, param: 'file' });
      expect(error.message).toMatch(/^The picture picture cannot be read/);
      expect(error.message).not.toContain(directory);
    }
  });
});
