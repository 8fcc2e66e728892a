/**
 * Streams the response for a large .txt file while the file is being read, because the whole response would not fit
 * into an isolate's memory.
 */
import type { InputFile } from '../../core/input-file.ts';
import { type FileOutput, file } from '../../core/tool-output.ts';
import { WordCount } from './count-words.ts';
import { REPLACEMENT, textPieces } from './decode-text.ts';

const HEAD = '{"text":"';

/**
 * Reads the file twice: first to count the words and compute the length of the response, then to write the response.
 */
export async function largeText(
  input: InputFile,
): Promise<{ output: FileOutput; replaced: boolean }> {
  const words = new WordCount();
  let replaced = false;
  let size = 0;
  for await (const piece of textPieces(await input.stream())) {
    words.add(piece);
    replaced ||= piece.includes(REPLACEMENT);
    size += escaped(piece).length;
  }
  const metadata = { format: 'txt', words: words.total };
  const tail = `","metadata":${JSON.stringify(metadata)}}`;
  // The file must be opened here, because an upload is deleted after its tool has returned.
  const pieces = answer(await input.stream(), tail);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
  const name = input.name.replace(/\.txt$/i, '.json');
  size += HEAD.length + tail.length;
  return { output: file(body, 'application/json', name, { size }), replaced };
}

const ENCODER = new TextEncoder();

/** Returns the text escaped for a JSON string, without the quotation marks. */
const escaped = (text: string) => ENCODER.encode(JSON.stringify(text).slice(1, -1));

async function* answer(
  content: ReadableStream<Uint8Array>,
  tail: string,
): AsyncGenerator<Uint8Array> {
  yield ENCODER.encode(HEAD);
  for await (const piece of textPieces(content)) yield escaped(piece);
  yield ENCODER.encode(tail);
}
