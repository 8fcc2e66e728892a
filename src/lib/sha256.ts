/** Returns the SHA-256 of a UTF-8 text in hexadecimal, for stored secrets and for comparing long texts. */

export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return hex(digest);
}

/** Does not use `toHex`, because Node 24 lacks it and `npm run key` runs this there. */
export const hex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
