/** Encodes a black-and-white PNG (PNG specification, third edition) as grayscale with one bit per pixel. */

import { crc32 } from '../../lib/crc32.ts';

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/**
 * Returns a square PNG of `size` pixels per side. `pixels` contains the rows from the top, each padded to whole bytes.
 * The leftmost pixel is in the highest bit, and 1 is white.
 */
export async function encodePng(pixels: Uint8Array<ArrayBuffer>, size: number) {
  const stride = Math.ceil(size / 8);
  // Every row begins with its filter type, where 0 means no filter.
  const rows = new Uint8Array(size * (stride + 1));
  for (let y = 0; y < size; y++) {
    rows.set(pixels.subarray(y * stride, (y + 1) * stride), y * (stride + 1) + 1);
  }
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, size);
  view.setUint32(4, size);
  // Sets the bit depth. The color type, compression, filter and interlace methods stay 0.
  header[8] = 1;
  const data = new Blob([rows]).stream().pipeThrough(new CompressionStream('deflate'));
  const parts = [
    Uint8Array.from(SIGNATURE),
    chunk('IHDR', header),
    chunk('IDAT', new Uint8Array(await new Response(data).arrayBuffer())),
    chunk('IEND', new Uint8Array(0)),
  ];
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

function chunk(type: string, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(data.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  for (let i = 0; i < 4; i++) bytes[4 + i] = type.charCodeAt(i);
  bytes.set(data, 8);
  view.setUint32(data.length + 8, crc32(bytes.subarray(4, data.length + 8)));
  return bytes;
}
