/**
 * Stores text in a Durable Object. The text is compressed and split, because a stored value can be at most 2 MB long.
 */
import { gunzipped, gzip } from '../core/gzip.ts';
import { joinBytes } from '../lib/join-bytes.ts';

const PIECE_BYTES = 2 ** 20;
/** The first byte of a gzip file (RFC 1952). */
const GZIP_BYTE = 0x1f;
const utf8 = new TextEncoder();

export const packed = (text: string): Promise<Uint8Array<ArrayBuffer>> => gzip(utf8.encode(text));

/** Stores compressed text under a name, replacing any text previously stored under this name. */
export function storeText(
  stored: SyncKvStorage,
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
): void {
  dropText(stored, name);
  for (let at = 0; at < bytes.byteLength; at += PIECE_BYTES) {
    // `slice` copies the bytes. Without the copy, storage would write the view's whole buffer.
    stored.put(keyOf(name, at), bytes.slice(at, at + PIECE_BYTES));
  }
}

/** Returns the stored text as UTF-8 bytes, or an empty array if no text is stored. */
export async function storedText(
  stored: SyncKvStorage,
  name: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = storedBytes(stored, name);
  // Jobs that were created before version 2.1 contain plain JSON, which never starts with this byte.
  return bytes[0] === GZIP_BYTE ? gunzipped(bytes) : bytes;
}

function storedBytes(stored: SyncKvStorage, name: string): Uint8Array<ArrayBuffer> {
  const pieces = [...stored.list<Uint8Array<ArrayBuffer>>({ prefix: `${name}/` })].map(
    ([, piece]) => piece,
  );
  return joinBytes(
    pieces,
    pieces.reduce((size, { byteLength }) => size + byteLength, 0),
  );
}

export function dropText(stored: SyncKvStorage, name: string): void {
  for (const [key] of [...stored.list({ prefix: `${name}/` })]) stored.delete(key);
}

/** Pads the offset with zeros, because storage lists keys in lexicographic order. */
const keyOf = (name: string, at: number) => `${name}/${String(at).padStart(12, '0')}`;
