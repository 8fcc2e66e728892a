/** Removes the metadata of a PNG (PNG specification, third edition, section 11). */
import { orientationExif } from '../../jpeg/orientation-exif.ts';
import { pngChunk, pngChunks, SIGNATURE_BYTES } from './png-file.ts';

/** The chunks that affect pixels, colors and animation. */
const ESSENTIAL = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI acTL fcTL fdAT'.split(' '),
);

export function strippedPng(bytes: Buffer, orientation: number): Buffer | null {
  const parts: Buffer[] = [bytes.subarray(0, SIGNATURE_BYTES)];
  for (const part of pngChunks(bytes)) {
    const { type } = part;
    if (ESSENTIAL.has(type)) parts.push(part.bytes);
    if (type === 'IHDR' && orientation > 1)
      parts.push(pngChunk('eXIf', orientationExif(orientation)));
    if (type === 'IEND') return Buffer.concat(parts);
  }
  return null;
}
