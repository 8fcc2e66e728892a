/** Reads a body into memory, up to a limit. */
import { PackedBytes } from './packed-bytes.ts';

/** Returns the whole body. Throws the error of `tooLong` as soon as the body exceeds `most` bytes. */
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
