/** Compresses and decompresses FlateDecode data (ISO 32000-1, section 7.4.4). */
import { deflateSync, inflateRawSync, inflateSync, constants as zlib } from 'node:zlib';
import { PdfDamage, StreamTooLarge } from './objects.ts';

const OF_THE_DATA = new Set(['Z_DATA_ERROR', 'Z_BUF_ERROR', 'Z_NEED_DICT']);

/**
 * Inflates data. Truncated data is accepted, because the content is checked afterwards. Throws StreamTooLarge if the
 * inflated data exceeds `limit` bytes, or PdfDamage if the data is damaged.
 */
export function inflate(bytes: Uint8Array, limit: number): Uint8Array {
  try {
    return inflateSync(bytes, { maxOutputLength: limit, finishFlush: zlib.Z_SYNC_FLUSH });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw new StreamTooLarge();
    // Other errors of zlib, such as Z_MEM_ERROR, do not concern the data.
    if (OF_THE_DATA.has(code ?? '')) throw new PdfDamage('the stream data is damaged');
    throw error;
  }
}

/** The length of the zlib header (RFC 1950, section 2.2). */
const HEADER_BYTES = 2;

/**
 * Whether the compressed data includes the end of its last block. The checksum may be missing. Data that inflates to
 * more than `limit` bytes counts as complete.
 */
export function isCompleteDeflate(bytes: Uint8Array, limit: number): boolean {
  try {
    inflateRawSync(bytes.subarray(HEADER_BYTES), { maxOutputLength: limit });
    return true;
  } catch (error) {
    return (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE';
  }
}

/** Compresses with the zlib settings that yield the smallest output. */
export const deflate = (bytes: Uint8Array): Uint8Array =>
  deflateSync(bytes, { level: 9, memLevel: 9 });
