/** A body in memory, up to a bound. */
import { PackedBytes } from './packed-bytes.ts';

/** The whole body. Throws what `tooLong` makes as soon as it is longer than `most` bytes. */
export async function readBounded(
  body: ReadableStream<Uint8Array> | null,
  most: number,
  tooLong: () => Error = () => new Error(`the answer is longer than ${most} bytes`),
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new PackedBytes();
  for await (const chunk of body ?? []) {
    if (bytes.size + chunk.byteLength > most) throw tooLong();
    bytes.append(chunk);
  }
  return bytes.join();
}
