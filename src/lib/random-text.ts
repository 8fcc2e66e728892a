/** Generates random text from a cryptographic source. */

/** Returns random characters of `alphabet`, each equally likely. The alphabet has at most 256 characters. */
export function randomText(alphabet: string, length: number): string {
  // Skips the highest byte values, because they would make the first characters of the alphabet more likely.
  const fair = 256 - (256 % alphabet.length);
  let text = '';
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < fair && text.length < length) text += alphabet[byte % alphabet.length];
    }
  }
  return text;
}
