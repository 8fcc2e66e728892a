/** Encodes images with few colors, such as GIF images, as PNG with a palette. */
import { deflateSync } from 'node:zlib';
import { pngChunk } from './png-file.ts';

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const MAX_COLORS = 256;
const INDEXED = 3;
const OPAQUE = 255;

interface Pixels {
  width: number;
  height: number;
  channels: number;
}

/** Returns a PNG with exactly these colors, or null if the image is gray or has more than 256 colors. */
export function indexedPng(data: Buffer, { width, height, channels }: Pixels): Buffer | null {
  if (channels < 3) return null;
  const found = indicesOf(data, channels);
  if (!found) return null;
  const { colors, indices } = found;
  const bitDepth = [1, 2, 4].find((bits) => colors.length <= 2 ** bits) ?? 8;
  const header = Buffer.from([...Array(8).fill(0), bitDepth, INDEXED, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const alpha = colors.map((color) => color & 0xff);
  const palette = colors.flatMap((color) => [
    color >>> 24,
    (color >> 16) & 0xff,
    (color >> 8) & 0xff,
  ]);
  return Buffer.concat([
    SIGNATURE,
    pngChunk('IHDR', header),
    pngChunk('PLTE', Buffer.from(palette)),
    ...(alpha.every((value) => value === OPAQUE) ? [] : [pngChunk('tRNS', Buffer.from(alpha))]),
    pngChunk('IDAT', deflateSync(packedRows(indices, width, height, bitDepth))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Returns the colors as RGBA, and the index of each pixel's color. All transparent pixels have one color. */
function indicesOf(data: Buffer, channels: number) {
  const known = new Map<number, number>();
  const indices = new Uint8Array(data.length / channels);
  let [last, index] = [-1, 0];
  for (let pixel = 0, at = 0; pixel < indices.length; pixel++, at += channels) {
    const color = channels === 3 ? ((data.readUIntBE(at, 3) << 8) | OPAQUE) >>> 0 : rgba(data, at);
    if (color !== last) {
      index = known.get(color) ?? known.size;
      if (index === MAX_COLORS) return null;
      known.set(color, index);
      last = color;
    }
    indices[pixel] = index;
  }
  return { colors: [...known.keys()], indices };
}

const rgba = (data: Buffer, at: number) => (data[at + 3] === 0 ? 0 : data.readUInt32BE(at));

/** Returns the rows of a PNG, each without a filter. */
function packedRows(indices: Uint8Array, width: number, height: number, bits: number): Buffer {
  const stride = 1 + Math.ceil((width * bits) / 8);
  const rows = Buffer.alloc(height * stride);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const bit = column * bits;
      const shift = 8 - bits - (bit & 7);
      rows[row * stride + 1 + (bit >> 3)]! |= indices[row * width + column]! << shift;
    }
  }
  return rows;
}
