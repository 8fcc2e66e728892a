/** Encodes bytes as a QR code of level M (ISO/IEC 18004) and draws it as a PNG or SVG. */
import qrcode from 'qrcode-generator';
import { encodePng } from './png.ts';

const MAX_BYTES = 2331;

/**
 * Returns the mode for a payload, and its capacity in version 40 at level M (ISO/IEC 18004, table 7). Byte mode is used
 * as long as the payload fits, because zbar reads it best. The numeric and alphanumeric modes are denser.
 */
export function capacityFor(bytes: Uint8Array): { mode: Mode; most: number } {
  if (bytes.length > MAX_BYTES) {
    const text = characters(bytes);
    if (/^\d+$/.test(text)) return { mode: 'Numeric', most: 5596 };
    if (/^[0-9A-Z $%*+\-./:]+$/.test(text)) return { mode: 'Alphanumeric', most: 3391 };
  }
  return { mode: 'Byte', most: MAX_BYTES };
}

type Mode = 'Numeric' | 'Alphanumeric' | 'Byte';

/** Returns a string with one character per byte, because the library takes binary data as a string. */
const characters = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');

/** The width of the white margin that the standard requires on every side, in modules. */
export const QUIET_ZONE = 4;

export interface QrCode {
  /** The number of modules per side, from 21 to 177. */
  modules: number;
  isDark(row: number, column: number): boolean;
}

/**
 * Returns the smallest QR code that holds `bytes`. The payload must have at least one byte and at most the capacity
 * that `capacityFor` returns.
 */
export function encodeQr(bytes: Uint8Array): QrCode {
  const code = qrcode(0, 'M');
  code.addData(characters(bytes), capacityFor(bytes).mode);
  code.make();
  return { modules: code.getModuleCount(), isDark: code.isDark };
}

/**
 * The minimum number of pixels per module at which the sizes of modules may differ by a pixel. Smaller modules of
 * different sizes would be hard to read.
 */
const MIN_UNEVEN_SCALE = 4;

/**
 * Draws the QR code as a PNG of size × size pixels. `size` is at least the number of modules per side. The quiet zone
 * has four modules, and module edges are rounded to whole pixels. Small modules all have the same size, so their quiet
 * zone can differ.
 */
export function drawPng(code: QrCode, size: number): Promise<Uint8Array> {
  const { modules } = code;
  const edges = moduleEdges(modules, size);
  const stride = Math.ceil(size / 8);
  const pixels = new Uint8Array(size * stride).fill(0xff);
  for (let row = 0; row < modules; row++) {
    const top = (edges[row] as number) * stride;
    const bottom = (edges[row + 1] as number) * stride;
    for (let column = 0; column < modules; column++) {
      if (!code.isDark(row, column)) continue;
      for (let x = edges[column] as number; x < (edges[column + 1] as number); x++) {
        const at = top + (x >> 3);
        pixels[at] = (pixels[at] as number) & ~(0x80 >> (x & 7));
      }
    }
    for (let at = top + stride; at < bottom; at += stride) {
      pixels.copyWithin(at, top, top + stride);
    }
  }
  return encodePng(pixels, size);
}

/** Returns the pixel at which each module starts, followed by the pixel at which the last module ends. */
function moduleEdges(modules: number, size: number): number[] {
  const exact = size / (modules + 2 * QUIET_ZONE);
  const edges = Array.from({ length: modules + 1 }, (_, module) => module);
  if (exact >= MIN_UNEVEN_SCALE) {
    return edges.map((module) => Math.round((module + QUIET_ZONE) * exact));
  }
  const scale = Math.max(1, Math.floor(exact));
  const margin = marginOf(size - modules * scale, scale);
  return edges.map((module) => margin + module * scale);
}

/**
 * Returns the number of white pixels to the left of the QR code and above it.
 * @param spare the number of white pixels per row
 */
function marginOf(spare: number, scale: number): number {
  const half = Math.floor(spare / 2);
  // zbar samples on a grid that starts at the image's corner. It reads modules of one pixel only at odd offsets.
  return scale === 1 && half > 0 && half % 2 === 0 ? half - 1 : half;
}

/**
 * Returns the QR code as an SVG image of size × size pixels. Each module is one unit, and the quiet zone is four units
 * wide.
 */
export function drawSvg({ modules, isDark }: QrCode, size: number): string {
  const path: string[] = [];
  for (let row = 0; row < modules; row++) {
    for (let column = 0; column < modules; column++) {
      if (!isDark(row, column)) continue;
      const start = column;
      while (column + 1 < modules && isDark(row, column + 1)) column++;
      const width = column + 1 - start;
      path.push(`M${start + QUIET_ZONE} ${row + QUIET_ZONE}h${width}v1h-${width}z`);
    }
  }
  const side = modules + 2 * QUIET_ZONE;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${side} ${side}" ` +
    `shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${path.join('')}"/></svg>`
  );
}
