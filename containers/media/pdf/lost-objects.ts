/** Detects whether a damaged file has lost objects that the rest of it refers to: fonts, images, pages. */

const LATIN_1 = new TextDecoder('latin1');
const STREAM_DATA = /\bstream\r?\n[\s\S]*?(?:endstream\b|$)/g;

/**
 * Whether a reference leads to an object that is not in the bytes. Call this only for a damaged
 * file: a valid one may have such references, which ISO 32000-1, section 7.3.10 reads as null.
 */
export function hasLostObjects(bytes: Uint8Array): boolean {
  const text = LATIN_1.decode(bytes).replace(STREAM_DATA, ' ');
  const present = new Set<string>();
  for (const [, number] of text.matchAll(/\b0*(\d{1,10})\s{1,20}\d{1,5}\s{1,20}obj\b/g)) {
    present.add(number!);
  }
  for (const [, number] of text.matchAll(/\b0*(\d{1,10})\s{1,20}\d{1,5}\s{1,20}R\b/g)) {
    if (!present.has(number!)) return true;
  }
  return false;
}
