/**
 * Reads and writes the big-endian numbers of font files and color profiles. Reading beyond the end throws RangeError.
 */

export const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Encodes values as big-endian integers with the given numbers of bytes. */
export function packed(
  ...fields: readonly (readonly [width: 1 | 2 | 4, value: number])[]
): Uint8Array {
  const result = new Uint8Array(fields.reduce((sum, [width]) => sum + width, 0));
  const view = viewOf(result);
  let at = 0;
  for (const [width, value] of fields) {
    if (width === 1) view.setUint8(at, value & 0xff);
    else if (width === 2) view.setUint16(at, value & 0xffff);
    else view.setUint32(at, value >>> 0);
    at += width;
  }
  return result;
}
