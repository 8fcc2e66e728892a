/** Reads the size of an image in pixels from its header. */
import { type ImageKind, imageKind } from '../lib/image-kind.ts';

/** The number of bytes that are searched. An SVG file may begin with a long license comment. */
const MAX_PROLOGUE = 64 * 1024;

export interface ImageSize {
  format: string;
  /** The width in pixels. It is undefined for SVGs, and if the header does not contain the size. */
  width?: number;
  height?: number;
}

/**
 * Returns the format and the size of an image. Returns null if the bytes are not an image, if its header is truncated,
 * or if browsers do not display images of this format as icons.
 */
export function measureImage(bytes: Uint8Array): ImageSize | null {
  const format = imageKind(bytes.subarray(0, MAX_PROLOGUE));
  if (format === null || format === 'tiff' || format === 'heic') return null;
  if (format === 'svg') return { format };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return { format, ...SIZES[format](view, bytes) };
  } catch (error) {
    // An image whose header is truncated does not count as an image.
    if (!(error instanceof RangeError)) throw error;
    return null;
  }
}

type Size = Omit<ImageSize, 'format'>;

const SIZES: Record<
  Exclude<ImageKind, 'svg' | 'tiff' | 'heic'>,
  (view: DataView, bytes: Uint8Array) => Size
> = {
  png: (view) => ({ width: view.getUint32(16), height: view.getUint32(20) }),
  gif: (view) => ({ width: view.getUint16(6, true), height: view.getUint16(8, true) }),
  bmp: (view) => ({
    width: view.getInt32(18, true),
    height: Math.abs(view.getInt32(22, true)),
  }),
  jpeg: jpegSize,
  webp: (view, bytes) => webpSize(view, ascii(bytes, 12, 4)),
  ico: icoSize,
  avif: (view, bytes) => avifSize(bytes, view),
};

const ascii = (bytes: Uint8Array, offset: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(offset, offset + length));

/** Finds the frame header, which may follow any number of other segments (ITU-T T.81, B.2.2). */
function jpegSize(view: DataView): { width: number; height: number } {
  for (let at = 2; ; ) {
    if (view.getUint8(at) !== 0xff) throw new RangeError('no marker');
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
}

/** Reads a WebP header (RFC 9649, sections 2.5 to 2.7). */
function webpSize(view: DataView, kind: string): { width: number; height: number } {
  if (kind === 'VP8X') {
    const three = (at: number) => view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
    return { width: three(24) + 1, height: three(27) + 1 };
  }
  if (kind === 'VP8L') {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
}

/** Returns the size of the largest entry. A width or height of 0 means 256. */
function icoSize(view: DataView): { width: number; height: number } {
  const count = view.getUint16(4, true);
  if (count === 0) throw new RangeError('no entry');
  let best = { width: 0, height: 0 };
  for (let index = 0; index < count; index += 1) {
    const width = view.getUint8(6 + index * 16) || 256;
    const height = view.getUint8(7 + index * 16) || 256;
    if (width * height > best.width * best.height) best = { width, height };
  }
  return best;
}

/** Finds the first image spatial extents property (ISO/IEC 23008-12, 6.5.3), which is near the start. */
function avifSize(bytes: Uint8Array, view: DataView): { width?: number; height?: number } {
  const found = ascii(bytes, 0, 4096).indexOf('ispe');
  return found < 0 ? {} : { width: view.getUint32(found + 8), height: view.getUint32(found + 12) };
}
