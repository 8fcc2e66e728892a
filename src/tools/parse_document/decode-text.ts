/** Reads a .txt file piece by piece: UTF-8; with a byte-order mark that says so, UTF-16. */
import type { InputFile } from '../../core/input-file.ts';

/** Pieces of the text, none of which cuts a character. A byte-order mark says how to read it and is no text. */
export async function* textPieces(
  file: InputFile,
  content: ReadableStream<Uint8Array>,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encodingOf(file.head));
  for await (const bytes of content) yield decoder.decode(bytes, { stream: true });
  yield decoder.decode();
}

function encodingOf(head: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

/** What the caller should know of how the file was read, if anything; `replaced` says whether U+FFFD is in the text. */
export function readingWarning(file: InputFile, replaced: boolean): string | undefined {
  const encoding = encodingOf(file.head);
  if (encoding !== 'utf-8') {
    return `${file.name} begins with the byte-order mark of ${encoding.toUpperCase()} and was read as that, not as UTF-8.`;
  }
  if (!replaced) return undefined;
  return `${file.name} holds bytes that are no UTF-8: U+FFFD stands for them in the text. Save the file as UTF-8 to keep them.`;
}

export const REPLACEMENT = '\ufffd';
