/** Detects whether bytes are text, which encoding they have, and whether the text is markup. */

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern detects control characters
const NOT_TEXT = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]/;

/**
 * Returns the encoding of text, detected from its first bytes. Returns null if the bytes are not text. An incomplete
 * last character is ignored.
 */
export function textEncodingOf(head: Uint8Array): Encoding | null {
  const encoding = byteOrderMarkOf(head) ?? 'utf-8';
  const text = decodedWith(new TextDecoder(encoding, { fatal: true, ignoreBOM: true }), head);
  return text === null || NOT_TEXT.test(text) ? null : encoding;
}

/**
 * Classifies a whole stream as text, markup (possibly after white space) or binary. `encoding` was detected from the
 * first bytes of the stream.
 */
export async function kindOfText(
  stream: ReadableStream<Uint8Array>,
  encoding: string,
): Promise<'text' | 'markup' | 'binary'> {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  let blank = true;
  for await (const chunk of stream) {
    const text = decodedWith(decoder, chunk);
    if (text === null || NOT_TEXT.test(text)) return 'binary';
    if (blank && MARKUP.test(text)) return 'markup';
    blank &&= BLANK.test(text);
  }
  return decodedWith(decoder) === null ? 'binary' : 'text';
}

/**
 * Decodes the next bytes of the text, or finishes the text if no bytes are given. Returns null if the bytes are invalid
 * in the encoding.
 */
function decodedWith(decoder: TextDecoder, bytes?: Uint8Array): string | null {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined });
  } catch {
    return null;
  }
}

/** Matches a tag, comment or declaration after any white space, control characters and byte order marks. */
const MARKUP = /^[\s\0-\x20\ufeff]*<[a-z!?/]/i;
const BLANK = /^[\s\ufeff]*$/;

/** Whether the text begins like HTML, SVG or XML. */
export const looksLikeMarkup = (head: Uint8Array): boolean => MARKUP.test(decoded(head));

/** Whether the text contains markup that a browser would execute or render. */
export const holdsMarkup = (head: Uint8Array): boolean =>
  /<(!doctype|html|head|body|script|svg|iframe|\?xml)\b/i.test(decoded(head));

const decoded = (head: Uint8Array): string =>
  new TextDecoder(byteOrderMarkOf(head) ?? 'utf-8').decode(head);

/** Returns the UTF-16 encoding that a byte order mark declares. */
export function byteOrderMarkOf(head: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return null;
}
