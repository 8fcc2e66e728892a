/** Reads the gray pixels of a page's image, which is a PNG, a JPEG, or a PGM written by poppler. */
import { readFile } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';

/** A rectangle in pixels from the top left corner. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface GrayPixels {
  /** One byte per pixel, top row first. */
  data: Uint8Array;
  width: number;
  height: number;
}

export interface OpenPage {
  width: number;
  height: number;
  whole(): Promise<GrayPixels>;
  /** Returns the page, downscaled if necessary so that no side is longer than `side` pixels. */
  within(side: number): Promise<GrayPixels>;
}

export async function openPage(path: string): Promise<OpenPage> {
  const bytes = await readFile(path);
  const open = imageOf(bytes);
  const { width, height } = await open().metadata();
  return {
    width,
    height,
    whole: () => pixelsOf(open()),
    within: (side) =>
      pixelsOf(
        open().resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true }),
      ),
  };
}

/** Opens a page. The PGM decoder of libvips is blocked in this process, so PGM pixels are passed as raw data. */
function imageOf(bytes: Buffer): () => Sharp {
  const head = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(bytes.toString('latin1', 0, 64));
  if (!head) return () => sharp(bytes, { limitInputPixels: false });
  const raw = { width: Number(head[1]), height: Number(head[2]), channels: 1 } as const;
  const pixels = bytes.subarray(head[0].length);
  return () => sharp(pixels, { raw, limitInputPixels: false });
}

async function pixelsOf(image: Sharp): Promise<GrayPixels> {
  const { data, info } = await image
    .flatten({ background: 'white' })
    .grayscale()
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}
