/** Reads and writes the data of FlateDecode (ISO 32000-1, section 7.4.4). */
import { deflateSync, inflateRawSync, inflateSync, constants as zlib } from 'node:zlib';

/**
 * Also reads truncated data, whose content is checked afterwards. Throws RangeError beyond `limit`
 * bytes.
 */
export const inflate = (bytes: Uint8Array, limit: number): Uint8Array =>
  inflateSync(bytes, { maxOutputLength: limit, finishFlush: zlib.Z_SYNC_FLUSH });

/** The length of the header of zlib data (RFC 1950, section 2.2). */
const HEADER_BYTES = 2;

/** Whether the compressed data reaches its last block. A missing checksum does not matter. */
export function isCompleteDeflate(bytes: Uint8Array, limit: number): boolean {
  try {
    inflateRawSync(bytes.subarray(HEADER_BYTES), { maxOutputLength: limit });
    return true;
  } catch (error) {
    return (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE';
  }
}

/** Compresses with the settings of zlib that give the smallest output. */
export const deflate = (bytes: Uint8Array): Uint8Array =>
  deflateSync(bytes, { level: 9, memLevel: 9 });
