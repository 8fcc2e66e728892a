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

/** What a whole stream is, read in the encoding that its beginning tells: text, markup behind white space, or neither. */
export async function kindOfText(
  stream: ReadableStream<Uint8Array>,
  encoding: string,
): Promise<'text' | 'markup' | 'binary'> {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  let blank = true;
  try {
    for await (const chunk of stream) {
      const text = decoder.decode(chunk, { stream: true });
      if (NOT_TEXT.test(text)) return 'binary';
      if (blank && MARKUP.test(text)) return 'markup';
      blank &&= BLANK.test(text);
    }
    decoder.decode();
    return 'text';
  } catch {
    return 'binary';
  }
}

/** A tag, a comment, a declaration, after white space and byte-order marks. */
const MARKUP = /^[\s\0-\x20\ufeff]*<[a-z!?/]/i;
const BLANK = /^[\s\ufeff]*$/;

/** Whether the text begins as HTML, SVG or XML do. */
export const looksLikeMarkup = (head: Uint8Array): boolean => MARKUP.test(decoded(head));

/** Whether there is markup that a browser would run or draw anywhere in the text. */
export const holdsMarkup = (head: Uint8Array): boolean =>
  /<(!doctype|html|head|body|script|svg|iframe|\?xml)\b/i.test(decoded(head));

const decoded = (head: Uint8Array): string =>
  new TextDecoder(byteOrderMarkOf(head) ?? 'utf-8').decode(head);

function byteOrderMarkOf(head: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return null;
}
