/** Returns a random key of 128 bits. `crypto.randomUUID` does not exist on pages that were loaded over plain HTTP. */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
