/** Decodes a .txt file as UTF-8 in chunks (api.md, parse_document). */
import type { InputFile } from '../../core/input-file.ts';

/** Yields chunks of text without a byte order mark. A chunk never ends within a character. */
export async function* textPieces(content: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const bytes of content) yield decoder.decode(bytes, { stream: true });
  yield decoder.decode();
}

const isUtf16 = ([first, second]: Uint8Array) =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

/**
 * Returns a warning about the decoding of the file, or undefined if none is needed. If `replaced` is true, the text
 * contains inserted U+FFFD characters.
 */
export function readingWarning(file: InputFile, replaced: boolean): string | undefined {
  if (!replaced) return undefined;
  const what = isUtf16(file.head)
    ? 'is UTF-16 but was read as UTF-8'
    : 'contains bytes that are not UTF-8';
  return `${file.name} ${what}: unreadable bytes were replaced by U+FFFD. Save the file as UTF-8.`;
}

export const REPLACEMENT = '\ufffd';
