/** Reads a .txt file piece by piece, as UTF-8 (api.md, parse_document). */
import type { InputFile } from '../../core/input-file.ts';

/** Pieces of the text, none of which cuts a character. A byte-order mark is no text. */
export async function* textPieces(content: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const bytes of content) yield decoder.decode(bytes, { stream: true });
  yield decoder.decode();
}

const isUtf16 = ([first, second]: Uint8Array) =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

/** What the caller should know of how the file was read, if anything; `replaced` says whether U+FFFD is in the text. */
export function readingWarning(file: InputFile, replaced: boolean): string | undefined {
  if (!replaced) return undefined;
  const what = isUtf16(file.head)
    ? 'is UTF-16, and was read as UTF-8'
    : 'holds bytes that are no UTF-8';
  return `${file.name} ${what}: U+FFFD stands for what could not be read. Save the file as UTF-8 to keep it.`;
}

export const REPLACEMENT = '\ufffd';
