/** A body in memory, up to a bound. */
import { joinBytes } from './join-bytes.ts';

/** The whole body. Throws what `tooLong` makes as soon as it is longer than `most` bytes. */
export async function readBounded(
  body: ReadableStream<Uint8Array> | null,
  most: number,
  tooLong: () => Error = () => new Error(`the answer is longer than ${most} bytes`),
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > most) throw tooLong();
    chunks.push(chunk);
  }
  return joinBytes(chunks, size);
}
