/** Packs lossless images that use a byte for each sample although they have at most 16 colors. */
import type { PdfDocument } from './document.ts';
import { name, type PdfReference, PdfStream, PdfString, type PdfValue } from './objects.ts';
import { channelsOf, MAX_RAW_PIXELS, type OpaqueImage, opaqueImage } from './recodable-image.ts';
import { decodedData, filtersOf, flateStream, LOSSLESS } from './stream-data.ts';
import { deflate } from './zlib.ts';

/** The minimum size of an image in bytes. Packing smaller images saves little. */
const MIN_BYTES = 512;
export const MAX_COLORS = 16;
/** The maximum number of compressed bytes per pixel. Even random pixels of 16 colors need fewer. */
const MAX_PIXEL_BYTES = 0.75;
const MAX_LOOKUP_BYTES = 4096;
const COMPRESSED = new Set(['FlateDecode', 'LZWDecode']);

/** Returns the image, or undefined if its format or size shows that it cannot be packed. */
export function fewColorImage(
  document: PdfDocument,
  reference: PdfReference,
): OpaqueImage | undefined {
  const image = opaqueImage(document, reference);
  if (!image || image.stream.encoded.length < MIN_BYTES) return undefined;
  const { dictionary, encoded } = image.stream;
  const pixels = image.width * image.height;
  if (pixels > MAX_RAW_PIXELS || document.resolve(dictionary.get('Decode')) !== null) {
    return undefined;
  }
  if (document.resolve(dictionary.get('BitsPerComponent')) !== 8) return undefined;
  const filters = filtersOf(document, dictionary);
  if (!filters?.every((filter) => LOSSLESS.has(filter.name))) return undefined;
  const isCompressed = filters.some((filter) => COMPRESSED.has(filter.name));
  return isCompressed && encoded.length > pixels * MAX_PIXEL_BYTES ? undefined : image;
}

export interface Packed {
  stream: PdfStream;
  isSmaller: boolean;
}

/**
 * Returns the image with one, two or four bits per pixel. Returns undefined if it cannot be packed, for example because
 * it has more than `MAX_COLORS` colors. A soft mask must be black and white, because it cannot have a palette.
 */
export function withFewerBits(
  document: PdfDocument,
  reference: PdfReference,
  isSoftMask: boolean,
): Packed | undefined {
  const image = fewColorImage(document, reference);
  const space = image?.stream.dictionary.get('ColorSpace');
  const indexed = document.array(space);
  const isIndexed = document.isNamed(indexed?.[0], 'Indexed');
  const base = isIndexed ? indexed?.[1] : space;
  const channels = channelsOf(document, base);
  if (!image || !base || !channels) return undefined;
  const { stream, width, height } = image;
  const pixelBytes = isIndexed ? 1 : channels;
  const size = width * height * pixelBytes;
  const samples = decodedData(document, stream, size + 1024)?.subarray(0, size);
  const found = samples?.length === size && colorsOf(samples, pixelBytes);
  if (!samples || !found) return undefined;
  const isBlackAndWhite = base === space && channels === 1 && found.every((c) => c % 0xff === 0);
  if (isSoftMask && !isBlackAndWhite) return undefined;
  const colors = isBlackAndWhite ? [0, 0xff] : found;
  const bits = colors.length <= 2 ? 1 : colors.length <= 4 ? 2 : 4;
  const entries = new Map(stream.dictionary).set('BitsPerComponent', bits);
  if (!isBlackAndWhite) {
    const lookup = isIndexed
      ? lookupOf(document, indexed ?? [], channels, colors)
      : Uint8Array.from(colors.flatMap((color) => bytesOf(color, channels)));
    if (!lookup) return undefined;
    entries.set('ColorSpace', [name('Indexed'), base, colors.length - 1, new PdfString(lookup)]);
  }
  const packed = flateStream(packedRows(samples, width, pixelBytes, colors, bits), entries);
  // Deflate finds repeated bytes, so it compresses some drawings better if each pixel is a byte.
  const most = Math.min(stream.encoded.length, bits > 1 ? deflate(samples).length : Infinity);
  return { stream: packed, isSmaller: packed.encoded.length < most };
}

/** Returns the colors as numbers in ascending order, or undefined if there are too many. */
function colorsOf(samples: Uint8Array, pixelBytes: number): number[] | undefined {
  const colors = new Set<number>();
  let last = -1;
  for (let at = 0; at < samples.length; at += pixelBytes) {
    const color = colorAt(samples, at, pixelBytes);
    if (color === last) continue;
    last = color;
    colors.add(color);
    if (colors.size > MAX_COLORS) return undefined;
  }
  return [...colors].sort((a, b) => a - b);
}

const colorAt = (samples: Uint8Array, at: number, pixelBytes: number): number =>
  pixelBytes === 1
    ? samples[at]!
    : (samples[at]! << 16) | (samples[at + 1]! << 8) | samples[at + 2]!;

const bytesOf = (color: number, channels: 1 | 3): number[] =>
  channels === 1 ? [color] : [color >> 16, (color >> 8) & 0xff, color & 0xff];

/** Returns the palette entries at these indexes, or undefined if some are missing. */
function lookupOf(
  document: PdfDocument,
  [, , last, value]: readonly PdfValue[],
  channels: number,
  indexes: readonly number[],
): Uint8Array | undefined {
  const table = document.resolve(value);
  const highest = Math.max(...indexes);
  const bytes =
    table instanceof PdfStream
      ? decodedData(document, table, MAX_LOOKUP_BYTES)
      : table instanceof PdfString && table.bytes;
  if (!bytes || bytes.length < (highest + 1) * channels) return undefined;
  if ((document.number(last) ?? 0) < highest) return undefined;
  return Buffer.concat(
    indexes.map((index) => bytes.subarray(index * channels, (index + 1) * channels)),
  );
}

/** Writes the index of each pixel's color with this number of bits. Each row starts at a new byte. */
function packedRows(
  samples: Uint8Array,
  width: number,
  pixelBytes: number,
  colors: readonly number[],
  bits: number,
): Uint8Array {
  let index = 0;
  const stride = Math.ceil((width * bits) / 8);
  const height = samples.length / (width * pixelBytes);
  const rows = new Uint8Array(stride * height);
  for (let y = 0, from = 0; y < height; y += 1) {
    for (let x = 0; x < width * bits; x += bits, from += pixelBytes) {
      const color = colorAt(samples, from, pixelBytes);
      if (color !== colors[index]) index = colors.indexOf(color);
      rows[y * stride + (x >> 3)]! |= index << (8 - bits - (x & 7));
    }
  }
  return rows;
}
