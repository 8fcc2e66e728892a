import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { expect } from 'vitest';
import { emptyTestFolder, makeTestFolder } from '../../../../test/support/test-folder.ts';
import { resultOf, run } from '../test-operation.ts';

export const folder = makeTestFolder('image-tests');
export const emptyFolder = () => emptyTestFolder(folder);

/** Draws asymmetric red, green and blue gradients, so that any rotation is detectable. */
export function scene(width: number, height: number, channels: 3 | 4 = 3): Sharp {
  const pixels = Buffer.alloc(width * height * channels);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * channels;
      pixels[at] = (x * 255) / width;
      pixels[at + 1] = (y * 255) / height;
      pixels[at + 2] = x < width / 2 && y < height / 2 ? 220 : 30;
      if (channels === 4) pixels[at + 3] = ((x + y) * 255) / (width + height);
    }
  }
  return sharp(pixels, { raw: { width, height, channels } });
}

/** Makes an animated WebP or GIF with frames of these colors. */
export async function animation(
  format: 'webp' | 'gif',
  width: number,
  height: number,
  colors: readonly string[],
): Promise<Buffer> {
  const frames = await Promise.all(
    colors.map((background) =>
      sharp({ create: { width, height, channels: 4, background } })
        .png()
        .toBuffer(),
    ),
  );
  const delay = colors.map((_, index) => 100 * (index + 1));
  const clip = sharp(frames, { join: { animated: true } });
  return clip[format]({ delay, loop: 2 }).toBuffer();
}

/** Converts a PNG to HEIC with libheif's own program. */
export function heic(png: Buffer, ...options: string[]): Buffer {
  const source = join(folder, 'to-encode.png');
  const target = join(folder, 'encoded.heic');
  writeFileSync(source, png);
  run('heif-enc', ...options, '-o', target, source);
  return readFileSync(target);
}

/** Returns an AVIF file that declares a sequence of images, as animated AVIF files do. */
export function sequence(avif: Buffer): Buffer {
  const file = Buffer.from(avif);
  file.write('avis', 8, 'latin1');
  return file;
}

export const svg = (attributes: string, content: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`);

export interface Ran {
  bytes: Buffer;
  contentType: string;
  meta: Record<string, unknown>;
}

let runs = 0;

/** Runs an operation in its own directory. Each file is `[name, bytes]`. */
export async function operate(
  name: string,
  params: Record<string, unknown>,
  contents: readonly [string, Uint8Array][],
  signal: AbortSignal = AbortSignal.timeout(100_000),
): Promise<Ran> {
  runs += 1;
  const directory = join(folder, `run-${runs}`);
  mkdirSync(directory);
  const files = contents.map(([fileName, bytes], index) => {
    const path = join(directory, `input-${index}`);
    writeFileSync(path, bytes);
    return { name: fileName, size: bytes.length, path };
  });
  return resultOf(name, params, files, { directory, signal });
}

/**
 * Returns the mean difference between the channel values of two images, from 0 to 255. The images are compared in sRGB
 * with their orientation applied.
 */
export async function meanDifference(one: Buffer, other: Buffer): Promise<number> {
  const raw = (bytes: Buffer) =>
    sharp(bytes)
      .autoOrient()
      .removeAlpha()
      .toColorspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
  const [a, b] = await Promise.all([raw(one), raw(other)]);
  if (a.info.width !== b.info.width || a.info.height !== b.info.height) {
    throw new Error(`${a.info.width}x${a.info.height} and ${b.info.width}x${b.info.height}`);
  }
  let sum = 0;
  for (const [index, value] of a.data.entries()) sum += Math.abs(value - (b.data[index] ?? 0));
  return sum / a.data.length;
}

/** Returns a TIFF of one page with smaller copies of it. */
export async function pyramid(image: Sharp): Promise<Buffer> {
  const tile = { tile: true, tileWidth: 64, tileHeight: 64, pyramid: true };
  const tiff = await image.tiff({ compression: 'lzw', ...tile }).toBuffer();
  expect((await sharp(tiff).metadata()).pages).toBeGreaterThan(1);
  return tiff;
}
