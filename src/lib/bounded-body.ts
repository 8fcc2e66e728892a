/** A body in memory, up to a bound. */
import { joinBytes } from './join-bytes.ts';

const tooLong = (most: number) => new Error(`the answer is longer than ${most} bytes`);

/** The whole body; throws what `error` gives where it is longer than `most` bytes. */
export async function readBounded(
  body: ReadableStream<Uint8Array> | null,
  most: number,
  error: (most: number) => Error = tooLong,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > most) throw error(most);
    chunks.push(chunk);
  }
  return joinBytes(chunks, size);
}
