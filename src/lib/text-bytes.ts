/** Whether bytes are text, in which encoding, and whether that text is markup. */

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** Control characters that no text holds: all but tab, line feed, form feed, carriage return and escape. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
const NOT_TEXT = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]/;

/** The encoding of the text that the bytes begin, or null where they begin none. A cut last character is no fault. */
export function textEncodingOf(head: Uint8Array): Encoding | null {
  const encoding = byteOrderMarkOf(head) ?? 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(head, {
      stream: true,
    });
    return NOT_TEXT.test(text) ? null : encoding;
  } catch {
    return null;
  }
}

/** Whether a whole stream is text in the encoding that its beginning tells. Reads all of it. */
export async function isText(
  stream: ReadableStream<Uint8Array>,
  encoding: string,
): Promise<boolean> {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  try {
    for await (const chunk of stream) {
      if (NOT_TEXT.test(decoder.decode(chunk, { stream: true }))) return false;
    }
    decoder.decode();
    return true;
  } catch {
    return false;
  }
}

/** Whether the text begins as HTML, SVG or XML do: with a tag, a comment, a declaration. */
export function looksLikeMarkup(head: Uint8Array): boolean {
  const encoding = byteOrderMarkOf(head) ?? 'utf-8';
  const text = new TextDecoder(encoding).decode(head.subarray(0, 4096));
  return /^[\s\0-\x20\ufeff]*<[a-z!?/]/i.test(text);
}

function byteOrderMarkOf(head: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return null;
}
