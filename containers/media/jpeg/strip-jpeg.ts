/** Removes the metadata of a JPEG (ITU-T T.81, annex B). */
import { orientationExif } from './orientation-exif.ts';

const START = 0xd8;
const END = 0xd9;
const SCAN = 0xda;
const APP0 = 0xe0;
const APP2 = 0xe2;
const APP14 = 0xee;
const APP15 = 0xef;
const COMMENT = 0xfe;

/** Keeps JFIF's header without its thumbnail, the ICC profile and Adobe's colour transform. */
export function strippedJpeg(bytes: Buffer, orientation: number): Buffer | null {
  const parts: Buffer[] = [bytes.subarray(0, 2)];
  if (orientation > 1) parts.push(exifSegment(orientation));
  for (let at = 2; at + 2 <= bytes.length; ) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff || marker === START) return null;
    // Fill bytes may precede a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === END) return Buffer.concat([...parts, bytes.subarray(at, at + 2)]);
    if (at + 4 > bytes.length) return null;
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    const segment = bytes.subarray(at, end);
    parts.push(...essentialSegment(marker, segment));
    at = end;
    if (marker === SCAN) {
      const next = endOfScan(bytes, end);
      parts.push(bytes.subarray(end, next));
      at = next;
    }
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

/** The offset of the marker after entropy-coded data, in which 0xff is followed by 0 or a restart marker. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next === undefined) break;
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  return bytes.length;
}
