/** Encodes and decodes base64url without padding (RFC 4648, section 5), which WebAuthn and OAuth use. */

export const toBase64Url = (bytes: Uint8Array): string =>
  bytes.toBase64({ alphabet: 'base64url', omitPadding: true });

/** Decodes base64url. Throws if the text is malformed. */
export const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  );
