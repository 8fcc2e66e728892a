/**
 * Returns a Map key for bytes, with one character per byte. The names in a name tree are bytes (ISO 32000-1, section
 * 7.9.6).
 */
export const byteKey = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
