/** Detects whether objects to which a damaged file refers, such as fonts, images or pages, are missing from it. */

const LATIN_1 = new TextDecoder('latin1');
const STREAM_DATA = /\bstream\r?\n[\s\S]*?(?:endstream\b|$)/g;

/**
 * Whether the file refers to an object that it does not contain. Call this only for a damaged file. In a valid file,
 * such a reference means null (ISO 32000-1, section 7.3.10).
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
