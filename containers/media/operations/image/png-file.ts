/** Reads the parts of a PNG file (PNG specification, third edition): header, palette, transparency, compressed rows. */
import { inflateSync } from 'node:zlib';

export interface PngFile {
  width: number;
  height: number;
  bitDepth: number;
  /** 0 gray, 2 RGB, 3 indexed, 4 gray with alpha, 6 RGB with alpha. */
  colourType: number;
  interlaced: boolean;
  palette: Uint8Array | undefined;
  transparency: Uint8Array | undefined;
  /** The content of the IDAT chunks: one zlib stream. */
  compressed: Uint8Array[];
}

const SIGNATURE_BYTES = 8;
const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Throws Error if parts are missing; the decoder has already verified the checksums. */
export function readPng(bytes: Uint8Array): PngFile {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const compressed: Uint8Array[] = [];
  let header: DataView | undefined;
  let palette: Uint8Array | undefined;
  let transparency: Uint8Array | undefined;
  for (let at = SIGNATURE_BYTES; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const content = bytes.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR' && length >= 13) {
      header = new DataView(content.buffer, content.byteOffset, content.byteLength);
    } else if (type === 'PLTE') palette = content;
    else if (type === 'tRNS') transparency = content;
    else if (type === 'IDAT') compressed.push(content);
    else if (type === 'IEND') break;
    at += length + 12;
  }
  const colourType = header?.getUint8(9) ?? -1;
  if (!header || !CHANNELS[colourType] || compressed.length === 0)
    throw new Error('parts of it are missing');
  if (colourType === 3 && !palette) throw new Error('its palette is missing');
  return {
    width: header.getUint32(0),
    height: header.getUint32(4),
    bitDepth: header.getUint8(8),
    colourType,
    interlaced: header.getUint8(12) === 1,
    palette,
    transparency,
    compressed,
  };
}

/** Whether a PNG has several frames (section 11.3.6.1): the chunk that says so precedes the pixels. */
export function hasAnimation(bytes: Buffer): boolean {
  for (let at = SIGNATURE_BYTES; at + 12 <= bytes.length; ) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'acTL') return bytes.readUInt32BE(at + 8) > 1;
    if (type === 'IDAT') return false;
    at += bytes.readUInt32BE(at) + 12;
  }
  return false;
}

const bitsPerPixel = ({ bitDepth, colourType }: PngFile) => bitDepth * (CHANNELS[colourType] ?? 1);
const rowLength = (width: number, bits: number) => 1 + Math.ceil((width * bits) / 8);

/** All rows, each after its filter byte; the rows of an interlaced file in order, unfiltered. */
export function filteredRows(png: PngFile): Buffer {
  const bits = bitsPerPixel(png);
  const size = png.interlaced
    ? passes(png).reduce((sum, pass) => sum + pass.height * rowLength(pass.width, bits), 0)
    : png.height * rowLength(png.width, bits);
  const rows = inflateSync(Buffer.concat(png.compressed), { maxOutputLength: size + 1024 });
  if (rows.length < size) throw new Error('it ends early');
  return png.interlaced ? deinterlaced(png, rows) : rows.subarray(0, size);
}

/** Removes the filters (section 9) from rows of this length, in place; filter bytes become 0. */
export function unfilter(rows: Buffer, length: number, bits: number): void {
  const step = Math.max(1, bits >> 3);
  for (let start = 0; start < rows.length; start += length) {
    const filter = rows[start];
    rows[start] = 0;
    for (let index = 1; filter !== 0 && index < length; index += 1) {
      const at = start + index;
      const left = index > step ? (rows[at - step] ?? 0) : 0;
      const up = start > 0 ? (rows[at - length] ?? 0) : 0;
      const corner = start > 0 && index > step ? (rows[at - length - step] ?? 0) : 0;
      rows[at] = (rows[at] ?? 0) + predicted(filter, left, up, corner);
    }
  }
}

function predicted(filter: number | undefined, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const [a, b, c] = [
    Math.abs(up - corner),
    Math.abs(left - corner),
    Math.abs(left + up - 2 * corner),
  ];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/** The first column and row and the steps of each Adam7 pass (section 8.1). */
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

const passes = ({ width, height }: PngFile) =>
  ADAM7.map(([x, y, stepX, stepY]) => {
    const columns = Math.ceil((width - x) / stepX);
    const rows = Math.ceil((height - y) / stepY);
    return { x, y, stepX, stepY, width: columns, height: columns > 0 ? rows : 0 };
  }).filter((pass) => pass.width > 0 && pass.height > 0);

function deinterlaced(png: PngFile, interlaced: Buffer): Buffer {
  const bits = bitsPerPixel(png);
  const length = rowLength(png.width, bits);
  const rows = Buffer.alloc(length * png.height);
  let at = 0;
  for (const pass of passes(png)) {
    const passLength = rowLength(pass.width, bits);
    const own = interlaced.subarray(at, at + passLength * pass.height);
    at += own.length;
    unfilter(own, passLength, bits);
    for (let row = 0; row < pass.height; row += 1) {
      const from = row * passLength + 1;
      const to = (pass.y + row * pass.stepY) * length + 1;
      for (let column = 0; column < pass.width; column += 1) {
        copyPixel(own, from, column, rows, to, pass.x + column * pass.stepX, bits);
      }
    }
  }
  return rows;
}

function copyPixel(
  source: Buffer,
  from: number,
  column: number,
  target: Buffer,
  to: number,
  targetColumn: number,
  bits: number,
): void {
  if (bits >= 8) {
    const step = bits >> 3;
    for (let index = 0; index < step; index += 1) {
      target[to + targetColumn * step + index] = source[from + column * step + index] ?? 0;
    }
    return;
  }
  const value = packedPixel(source, from, column, bits);
  const at = targetColumn * bits;
  const byte = to + (at >> 3);
  target[byte] = (target[byte] ?? 0) | (value << (8 - bits - (at & 7)));
}

/** The value of a pixel of fewer than 8 bits in a row that begins at `from`. */
export function packedPixel(rows: Buffer, from: number, column: number, bits: number): number {
  const at = column * bits;
  return ((rows[from + (at >> 3)] ?? 0) >> (8 - bits - (at & 7))) & ((1 << bits) - 1);
}
