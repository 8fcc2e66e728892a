/** Returns the SHA-256 of UTF-8 text in hexadecimal. */

export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return hex(digest);
}

/** Returns the bytes in hexadecimal. Node 24, which runs `npm run key`, lacks `Uint8Array.toHex`. */
export const hex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
