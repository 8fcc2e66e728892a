/** Reads the chunks of a PNG file (PNG specification, third edition). */
import { crc32, inflateSync } from 'node:zlib';

export interface PngFile {
  width: number;
  height: number;
  bitDepth: number;
  /** The color type is 0 for gray, 2 for RGB, 3 for indexed, 4 for gray with alpha, and 6 for RGB with alpha. */
  colorType: number;
  palette: Uint8Array | undefined;
  transparency: Uint8Array | undefined;
  /** The contents of the IDAT chunks. Together, they are one zlib stream. */
  compressed: Uint8Array[];
}

export interface PngChunk {
  type: string;
  /** The whole chunk, including its length, type and checksum. */
  bytes: Buffer;
  content: Buffer;
}

export const SIGNATURE_BYTES = 8;
const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Returns the chunks of a file up to IEND. */
export function* pngChunks(file: Uint8Array): Generator<PngChunk> {
  const png = Buffer.from(file.buffer, file.byteOffset, file.length);
  for (let at = SIGNATURE_BYTES; at + 12 <= png.length; ) {
    const end = at + 12 + png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    yield { type, bytes: png.subarray(at, end), content: png.subarray(at + 8, end - 4) };
    if (type === 'IEND') return;
    at = end;
  }
}

/** Returns a whole chunk, including its length and checksum. */
export function pngChunk(type: string, content: Uint8Array): Buffer {
  const bytes = Buffer.alloc(content.length + 12);
  bytes.writeUInt32BE(content.length, 0);
  bytes.write(type, 4, 'latin1');
  bytes.set(content, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), content.length + 8);
  return bytes;
}

/** Reads a file whose checksums the decoder has already verified. Throws Error if parts are missing. */
export function readPng(bytes: Uint8Array): PngFile {
  const compressed: Uint8Array[] = [];
  const found = new Map<string, Buffer>();
  for (const { type, content } of pngChunks(bytes)) {
    if (type === 'IDAT') compressed.push(content);
    else found.set(type, content);
  }
  const header = found.get('IHDR') ?? Buffer.alloc(0);
  const [bitDepth = 0, colorType = -1] = header.subarray(8);
  if (!CHANNELS[colorType] || compressed.length === 0)
    throw new Error('its header or its image data is missing');
  const palette = found.get('PLTE');
  if (colorType === 3 && !palette) throw new Error('its palette is missing');
  return {
    width: header.readUInt32BE(0),
    height: header.readUInt32BE(4),
    bitDepth,
    colorType,
    palette,
    transparency: found.get('tRNS'),
    compressed,
  };
}

/** Whether a PNG has several frames. The acTL chunk that declares them precedes the pixel data (section 11.3.6.1). */
export function hasAnimation(bytes: Buffer): boolean {
  for (const { type, content } of pngChunks(bytes)) {
    if (type === 'acTL') return content.length >= 4 && content.readUInt32BE(0) > 1;
    if (type === 'IDAT') return false;
  }
  return false;
}

/** Returns all rows. Each begins with its filter byte. */
export function filteredRows({ width, height, bitDepth, colorType, compressed }: PngFile): Buffer {
  const bits = width * bitDepth * (CHANNELS[colorType] ?? 1);
  const size = height * (1 + Math.ceil(bits / 8));
  const rows = inflateSync(Buffer.concat(compressed), { maxOutputLength: size + 1024 });
  if (rows.length < size) throw new Error('it is truncated');
  return rows.subarray(0, size);
}

/** Returns the value of a pixel with fewer than 8 bits, in a row that begins at `from`. */
export function packedPixel(rows: Uint8Array, from: number, column: number, bits: number): number {
  const at = column * bits;
  return ((rows[from + (at >> 3)] ?? 0) >> (8 - bits - (at & 7))) & ((1 << bits) - 1);
}
