/** Removes the metadata of a JPEG (ITU-T T.81, annex B). */
import { orientationExif } from './orientation-exif.ts';
import { JPEG_END, jpegSegments } from './segments.ts';

const APP0 = 0xe0;
const APP2 = 0xe2;
const APP14 = 0xee;
const APP15 = 0xef;
const COMMENT = 0xfe;

/**
 * Keeps the ICC profile, Adobe's color transform, and the JFIF header without its thumbnail. Returns null if the end of
 * the image is missing.
 */
export function strippedJpeg(bytes: Buffer, orientation: number): Buffer | null {
  const parts: Buffer[] = [bytes.subarray(0, 2)];
  if (orientation > 1) parts.push(exifSegment(orientation));
  for (const { marker, bytes: segment, scan } of jpegSegments(bytes)) {
    if (marker === JPEG_END) return Buffer.concat([...parts, segment]);
    parts.push(...essentialSegment(marker, segment), scan);
  }
  return null;
}

function essentialSegment(marker: number, segment: Buffer): Buffer[] {
  if (marker === APP0) return startsWith(segment, 'JFIF\0') ? [jfifWithoutThumbnail(segment)] : [];
  if (marker === APP2) return startsWith(segment, 'ICC_PROFILE\0') ? [segment] : [];
  if (marker === APP14) return startsWith(segment, 'Adobe') ? [segment] : [];
  return (marker >= APP0 && marker <= APP15) || marker === COMMENT ? [] : [segment];
}

const startsWith = (segment: Buffer, text: string) =>
  segment.toString('latin1', 4, 4 + text.length) === text;

function jfifWithoutThumbnail(segment: Buffer): Buffer {
  const header = Buffer.alloc(18);
  segment.copy(header, 0, 0, 16);
  header.writeUInt16BE(16, 2);
  return header;
}

function exifSegment(orientation: number): Buffer {
  const content = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), orientationExif(orientation)]);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}
