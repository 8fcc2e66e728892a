/** Embeds a JPEG unchanged as an image XObject. */
import { colourSpaceOf, type PdfImage } from './pdf-image.ts';

/**
 * Baseline, extended and progressive with Huffman codes: the kinds that DCTDecode reads (ISO 32000-1, section 7.4.8).
 */
const READABLE_FRAMES = [0xc0, 0xc1, 0xc2];
const ADOBE = 0xee;
const SCAN = 0xda;

/** The XObject, or null if PDF readers do not support this kind of JPEG. Check first that the bytes decode. */
export function jpegImage(bytes: Uint8Array, profile: Uint8Array | undefined): PdfImage | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let adobe = false;
  let frame: { precision: number; height: number; width: number; components: number } | undefined;
  for (let at = 2; at + 9 < bytes.length; ) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) return null;
    // Fill bytes may precede a marker (ITU-T T.81, B.1.1.2).
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === SCAN) break;
    if (marker === ADOBE)
      adobe ||= String.fromCharCode(...bytes.subarray(at + 4, at + 9)) === 'Adobe';
    if (isFrame(marker)) {
      if (!READABLE_FRAMES.includes(marker)) return null;
      frame = {
        precision: view.getUint8(at + 4),
        height: view.getUint16(at + 5),
        width: view.getUint16(at + 7),
        components: view.getUint8(at + 9),
      };
    }
    at += 2 + view.getUint16(at + 2);
  }
  if (frame?.precision !== 8 || frame.height === 0) return null;
  const { width, height, components } = frame;
  if (components !== 1 && components !== 3 && components !== 4) return null;
  return {
    width,
    height,
    bitsPerComponent: 8,
    colourSpace: colourSpaceOf(components, profile),
    filter: 'DCTDecode',
    data: [bytes],
    // Adobe's programs write CMYK inverted, and all readers expect that.
    ...(components === 4 && adobe && { decode: '[1 0 1 0 1 0 1 0]' }),
  };
}

/** SOF0 to SOF15, without the table markers between them (ITU-T T.81, table B.1). */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
