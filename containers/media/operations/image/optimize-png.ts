/**
 * Compresses a PNG further without loss. oxipng reduces the bit depth, builds palettes and selects better filters.
 * Metadata chunks are preserved.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/**
 * The maximum number of pixels for level 2, which tries several filters. Larger images use level 1, which tries fewer
 * filters in half the time. The limit includes screenshots of 2560 x 1440 pixels.
 */
const THOROUGH_PIXELS = 4_000_000;
/** The maximum number of pixels in an image. WebAssembly runs out of memory for larger images. */
const MAX_PIXELS = 25_000_000;

let loaded: Promise<Optimizer> | undefined;

type Optimizer = typeof import('@jsquash/oxipng/codec/pkg/squoosh_oxipng.js').optimise;

/** @param pixels the number of pixels in the image */
export async function optimizedPng(png: Buffer, pixels: number): Promise<Buffer> {
  if (pixels > MAX_PIXELS) return png;
  const optimize = await optimizer();
  const level = pixels > THOROUGH_PIXELS ? 1 : 2;
  const smaller = optimize(png, level, false, false);
  return smaller.length < png.length ? Buffer.from(smaller) : png;
}

/** Returns the PNG without interlacing, or undefined if it is too large or oxipng cannot read it. */
export async function deinterlacedPng(png: Buffer, pixels: number): Promise<Buffer | undefined> {
  if (pixels > MAX_PIXELS) return undefined;
  const optimize = await optimizer();
  try {
    return Buffer.from(optimize(png, 0, false, false));
  } catch {
    return undefined;
  }
}

function optimizer(): Promise<Optimizer> {
  loaded ??= load();
  return loaded;
}

/**
 * Loads oxipng on first use, because few calls need it. Passes the WebAssembly bytes to the package, which would
 * otherwise fetch them from a URL.
 */
async function load(): Promise<Optimizer> {
  const { default: init, optimise } = await import('@jsquash/oxipng/codec/pkg/squoosh_oxipng.js');
  const path = createRequire(import.meta.url).resolve(
    '@jsquash/oxipng/codec/pkg/squoosh_oxipng_bg.wasm',
  );
  await init(await readFile(path));
  return optimise;
}
