/** Encodes bytes as a QR code of level M (ISO/IEC 18004) and draws it as a PNG. */
import qrcode from 'qrcode-generator';
import { encodePng } from './png.ts';

const MOST_BYTES = 2331;

/**
 * The mode for a payload, and its capacity in version 40 at level M (ISO/IEC 18004, table 7). Byte mode, which zbar
 * reads best, as long as the payload fits; digits and the alphanumeric set have denser modes.
 */
export function capacityFor(bytes: Uint8Array): { mode: Mode; most: number } {
  if (bytes.length > MOST_BYTES) {
    const text = characters(bytes);
    if (/^\d+$/.test(text)) return { mode: 'Numeric', most: 5596 };
    if (/^[0-9A-Z $%*+\-./:]+$/.test(text)) return { mode: 'Alphanumeric', most: 3391 };
  }
  return { mode: 'Byte', most: MOST_BYTES };
}

type Mode = 'Numeric' | 'Alphanumeric' | 'Byte';

/** Each byte as the character of its number, which is how the library takes binary data. */
const characters = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');

/** White modules that the standard requires on every side. */
export const QUIET_ZONE = 4;

export interface QrCode {
  /** Modules per side: 21 to 177. */
  modules: number;
  isDark(row: number, column: number): boolean;
}

/** The smallest code that holds `bytes`: at least one byte, at most the capacity of `capacityFor`. */
export function encodeQr(bytes: Uint8Array): QrCode {
  const code = qrcode(0, 'M');
  code.addData(characters(bytes), capacityFor(bytes).mode);
  code.make();
  return { modules: code.getModuleCount(), isDark: code.isDark };
}

/**
 * Draws the code centred in size × size pixels; `size` is at least its number of modules. Modules are whole pixels, as
 * large as the quiet zone allows. If even modules of one pixel leave less, the margin is smaller.
 */
export function drawPng(code: QrCode, size: number): Promise<Uint8Array> {
  const { modules } = code;
  const scale = Math.max(1, Math.floor(size / (modules + 2 * QUIET_ZONE)));
  const margin = marginOf(size - modules * scale, scale);
  const stride = Math.ceil(size / 8);
  const pixels = new Uint8Array(size * stride).fill(0xff);
  for (let row = 0; row < modules; row++) {
    const top = (margin + row * scale) * stride;
    for (let column = 0; column < modules; column++) {
      if (!code.isDark(row, column)) continue;
      const left = margin + column * scale;
      for (let x = left; x < left + scale; x++) {
        const at = top + (x >> 3);
        pixels[at] = (pixels[at] as number) & ~(0x80 >> (x & 7));
      }
    }
    for (let y = 1; y < scale; y++) pixels.copyWithin(top + y * stride, top, top + stride);
  }
  return encodePng(pixels, size);
}

/** The white pixels to the left of the code and above it. `spare`: white pixels per row. */
function marginOf(spare: number, scale: number): number {
  const half = Math.floor(spare / 2);
  // zbar samples on a grid from the image's corner, so it reads modules of one pixel only at odd offsets.
  return scale === 1 && half > 0 && half % 2 === 0 ? half - 1 : half;
}
