/** SHA-256 of a text in UTF-8, in hexadecimal: how secrets are kept, and what is long is compared. */

export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return hex(digest);
}

/** Without `toHex`, which Node 24 does not have: `npm run key` runs this there. */
export const hex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
