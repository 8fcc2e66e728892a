/** The text of a .txt file: UTF-8; with a byte-order mark that says so, UTF-16. */
import type { InputFile } from '../../core/input-file.ts';

export interface DecodedText {
  text: string;
  /** What the caller should know of how it was read. */
  warning: string | undefined;
}

/** Reads the whole file, piece by piece. A byte-order mark says how to read it and is no text. */
export async function decodeText(file: InputFile): Promise<DecodedText> {
  const encoding = encodingOf(file.head);
  const decoder = new TextDecoder(encoding);
  let text = '';
  for await (const piece of await file.stream()) text += decoder.decode(piece, { stream: true });
  text += decoder.decode();
  return { text, warning: warningOf(file.name, encoding, text) };
}

function encodingOf(head: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

function warningOf(name: string, encoding: string, text: string): string | undefined {
  if (encoding !== 'utf-8') {
    return `${name} begins with the byte-order mark of ${encoding.toUpperCase()} and was read as that, not as UTF-8.`;
  }
  const at = text.indexOf('\ufffd');
  if (at < 0) return undefined;
  return (
    `${name} holds bytes that are no UTF-8 or were replaced before: U+FFFD stands for them, first at character ` +
    `${[...text.slice(0, at)].length + 1}. Save the file as UTF-8 to keep them.`
  );
}
