/** Converts bytes to a Map key. */

/** A string of equal length, because names in a name tree are bytes (ISO 32000-1, section 7.9.6). */
export function byteKey(bytes: Uint8Array): string {
  let key = '';
  for (const code of bytes) key += String.fromCharCode(code);
  return key;
}
