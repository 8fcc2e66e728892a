/** Reads the segments of a JPEG (ITU-T T.81, annex B). */

export const JPEG_END = 0xd9;
export const JPEG_SCAN = 0xda;
const START = 0xd8;

export interface JpegSegment {
  /** The second byte of the segment's marker. */
  marker: number;
  /** The whole segment, including its marker and length. */
  bytes: Buffer;
  /** The entropy-coded data after the header of a scan. */
  scan: Buffer;
}

/** Returns the segments after the start of the image, up to the end of the image or the first invalid segment. */
export function* jpegSegments(jpeg: Buffer): Generator<JpegSegment> {
  for (let at = 2; at + 2 <= jpeg.length; ) {
    const marker = jpeg[at + 1] ?? 0;
    if (jpeg[at] !== 0xff || marker === START) return;
    // Fill bytes may precede a marker (section B.1.1.2).
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === JPEG_END) {
      yield { marker, bytes: jpeg.subarray(at, at + 2), scan: Buffer.alloc(0) };
      return;
    }
    if (at + 4 > jpeg.length) return;
    const end = at + 2 + jpeg.readUInt16BE(at + 2);
    const next = marker === JPEG_SCAN ? endOfScan(jpeg, end) : end;
    yield { marker, bytes: jpeg.subarray(at, end), scan: jpeg.subarray(end, next) };
    at = next;
  }
}

/**
 * Whether a second image starts before the first one ends, as when truncated files are joined. Decoders reject such
 * files.
 */
export function hasSecondStart(jpeg: Buffer): boolean {
  let at = 2;
  for (const { marker, bytes, scan } of jpegSegments(jpeg)) {
    if (marker === JPEG_END) return false;
    at =
      scan.length > 0
        ? scan.byteOffset + scan.length - jpeg.byteOffset
        : bytes.byteOffset + bytes.length - jpeg.byteOffset;
  }
  return jpeg[at] === 0xff && jpeg[at + 1] === START;
}

/**
 * Returns the offset of the marker that ends the entropy-coded data. Within the data, each 0xff byte is followed by 0
 * or is part of a restart marker.
 */
function endOfScan(jpeg: Buffer, from: number): number {
  for (let at = jpeg.indexOf(0xff, from); at >= 0; at = jpeg.indexOf(0xff, at + 1)) {
    const next = jpeg[at + 1];
    if (next === undefined) break;
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  return jpeg.length;
}
