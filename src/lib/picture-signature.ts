/** Pictures as image models send them, told by their first bytes. */

const starts = (bytes: Uint8Array, text: string, at = 0) =>
  [...text].every((character, index) => bytes[at + index] === character.charCodeAt(0));

/** Whether the bytes begin as PNG, JPEG, WebP, GIF or AVIF do. */
export const isPicture = (bytes: Uint8Array): boolean =>
  starts(bytes, '\x89PNG\r\n\x1a\n') ||
  starts(bytes, '\xff\xd8\xff') ||
  (starts(bytes, 'RIFF') && starts(bytes, 'WEBP', 8)) ||
  starts(bytes, 'GIF8') ||
  starts(bytes, 'ftypavif', 4);

/** Whether the bytes are a PNG from its signature to its last chunk (PNG specification, 5.2 and 11.2.5). */
export const isWholePng = (bytes: Uint8Array): boolean =>
  starts(bytes, '\x89PNG\r\n\x1a\n') && starts(bytes, 'IEND\xaeB`\x82', bytes.length - 8);
