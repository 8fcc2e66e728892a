/** Texts in a Durable Object's storage: compressed, and in pieces, since one value there holds at most 2 MB. */
import { gunzipped, gzip } from '../core/gzip.ts';
import { joinBytes } from '../lib/join-bytes.ts';

const PIECE_BYTES = 2 ** 20;
/** The first byte of every gzip file (RFC 1952). */
const GZIP_BYTE = 0x1f;
const utf8 = new TextEncoder();

/** A text as it is stored. */
export const packed = (text: string): Promise<Uint8Array<ArrayBuffer>> => gzip(utf8.encode(text));

/** Keeps a packed text under its name, in the place of what was there. */
export function keepText(kept: SyncKvStorage, name: string, bytes: Uint8Array<ArrayBuffer>): void {
  dropText(kept, name);
  for (let at = 0; at < bytes.byteLength; at += PIECE_BYTES) {
    // Copied: of a view, all that is behind it would be kept.
    kept.put(keyOf(name, at), bytes.slice(at, at + PIECE_BYTES));
  }
}

/** The bytes of a kept text in UTF-8; none where there is no such text. */
export async function keptText(
  kept: SyncKvStorage,
  name: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = keptBytes(kept, name);
  // Jobs from before version 2.1 hold plain JSON, which never starts with this byte.
  return bytes[0] === GZIP_BYTE ? gunzipped(bytes) : bytes;
}

function keptBytes(kept: SyncKvStorage, name: string): Uint8Array<ArrayBuffer> {
  const pieces = [...kept.list<Uint8Array<ArrayBuffer>>({ prefix: `${name}/` })].map(
    ([, piece]) => piece,
  );
  return joinBytes(
    pieces,
    pieces.reduce((size, { byteLength }) => size + byteLength, 0),
  );
}

export function dropText(kept: SyncKvStorage, name: string): void {
  for (const [key] of [...kept.list({ prefix: `${name}/` })]) kept.delete(key);
}

/** Keys are listed in the order of their characters. */
const keyOf = (name: string, at: number) => `${name}/${String(at).padStart(12, '0')}`;
