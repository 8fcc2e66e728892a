/** Embeds a JPEG unchanged as an image XObject. */
import { hasSecondStart, JPEG_SCAN, jpegSegments } from '../../jpeg/segments.ts';
import { colorSpaceOf, type PdfImage } from './pdf-image.ts';

/**
 * The markers of baseline, extended and progressive frames with Huffman codes, which DCTDecode supports (ISO 32000-1,
 * section 7.4.8).
 */
const READABLE_FRAMES = [0xc0, 0xc1, 0xc2];
const ADOBE = 0xee;

/** Returns the XObject, or null if PDF readers do not support this kind of JPEG. Verify first that the bytes decode. */
export function jpegImage(bytes: Uint8Array, profile: Uint8Array | undefined): PdfImage | null {
  let adobe = false;
  let frame: { precision: number; height: number; width: number; components: number } | undefined;
  const jpeg = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (const { marker, bytes: segment } of jpegSegments(jpeg)) {
    if (marker === JPEG_SCAN) break;
    if (marker === ADOBE) adobe ||= segment.toString('latin1', 4, 9) === 'Adobe';
    if (!isFrame(marker)) continue;
    if (!READABLE_FRAMES.includes(marker) || segment.length < 10) return null;
    frame = {
      precision: segment.readUInt8(4),
      height: segment.readUInt16BE(5),
      width: segment.readUInt16BE(7),
      components: segment.readUInt8(9),
    };
  }
  if (frame?.precision !== 8 || frame.height === 0 || hasSecondStart(jpeg)) return null;
  const { width, height, components } = frame;
  if (components !== 1 && components !== 3 && components !== 4) return null;
  return {
    width,
    height,
    bitsPerComponent: 8,
    colorSpace: colorSpaceOf(components, profile),
    filter: 'DCTDecode',
    data: [bytes],
    // Adobe's programs store inverted CMYK values, so the Decode array reverses the inversion.
    ...(components === 4 && adobe && { decode: '[1 0 1 0 1 0 1 0]' }),
  };
}

/** Whether the marker begins a frame. Three of the markers from 0xC0 to 0xCF do not (ITU-T T.81, table B.1). */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
