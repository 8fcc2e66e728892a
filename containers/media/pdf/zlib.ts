/** The data of FlateDecode (ISO 32000-1, section 7.4.4). */
import { deflateSync, inflateSync, constants as zlib } from 'node:zlib';

/** Also reads truncated data; the content is checked afterwards. Throws RangeError beyond `limit` bytes. */
export const inflate = (bytes: Uint8Array, limit: number): Uint8Array =>
  inflateSync(bytes, { maxOutputLength: limit, finishFlush: zlib.Z_SYNC_FLUSH });

/** Compresses with the settings of zlib that give the smallest output. */
export const deflate = (bytes: Uint8Array): Uint8Array =>
  deflateSync(bytes, { level: 9, memLevel: 9 });
