/** Reads binary PPM and PBM, the image formats that poppler writes (netpbm.sourceforge.net/doc). */

export interface Netpbm {
  width: number;
  height: number;
  /**
   * Whether rows have one bit per pixel, which is 1 for black. Otherwise each pixel has three bytes: red, green and
   * blue.
   */
  isOneBit: boolean;
  rows: Buffer;
}

/** Returns undefined for any other format, and for incomplete data. */
export function readNetpbm(bytes: Buffer): Netpbm | undefined {
  const head = /^P(?:4\s(\d+) (\d+)\s|6\s(\d+) (\d+)\s255\s)/.exec(bytes.toString('latin1', 0, 64));
  if (!head) return undefined;
  const isOneBit = head[1] !== undefined;
  const [width, height] = [Number(head[1] ?? head[3]), Number(head[2] ?? head[4])];
  const rows = bytes.subarray(head[0].length);
  const stride = isOneBit ? Math.ceil(width / 8) : width * 3;
  return rows.length >= stride * height ? { width, height, isOneBit, rows } : undefined;
}
