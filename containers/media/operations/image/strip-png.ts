/** Removes the metadata of a PNG (PNG specification, third edition, section 11). */
import { crc32 } from 'node:zlib';
import { orientationExif } from '../../jpeg/orientation-exif.ts';

const SIGNATURE_BYTES = 8;
/** The chunks that decide about pixels, colours and animation. */
const ESSENTIAL = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI acTL fcTL fdAT'.split(' '),
);

export function strippedPng(bytes: Buffer, orientation: number): Buffer | null {
  const parts: Buffer[] = [bytes.subarray(0, SIGNATURE_BYTES)];
  for (let at = SIGNATURE_BYTES; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (ESSENTIAL.has(type)) parts.push(bytes.subarray(at, end));
    if (type === 'IHDR' && orientation > 1) parts.push(chunk('eXIf', orientationExif(orientation)));
    if (type === 'IEND') return Buffer.concat(parts);
    at = end;
  }
  return null;
}

function chunk(type: string, content: Buffer): Buffer {
  const data = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const frame = Buffer.alloc(data.length + 8);
  frame.writeUInt32BE(content.length, 0);
  data.copy(frame, 4);
  frame.writeUInt32BE(crc32(data), data.length + 4);
  return frame;
}
