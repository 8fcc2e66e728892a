/** Texts of any length in a Durable Object's storage: in pieces, since one value there holds at most 2 MB. */
import { joinBytes } from '../lib/join-bytes.ts';

const PIECE_BYTES = 2 ** 20;
const utf8 = new TextEncoder();

/** Keeps the text under its name, in the place of what was there. */
export function keepText(kept: SyncKvStorage, name: string, text: string): void {
  dropText(kept, name);
  const bytes = utf8.encode(text);
  for (let at = 0; at < bytes.byteLength; at += PIECE_BYTES) {
    // Copied: of a view, all that is behind it would be kept.
    kept.put(keyOf(name, at), bytes.slice(at, at + PIECE_BYTES));
  }
}

/** The bytes of a kept text in UTF-8; none where there is no such text. */
export function keptText(kept: SyncKvStorage, name: string): Uint8Array<ArrayBuffer> {
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
