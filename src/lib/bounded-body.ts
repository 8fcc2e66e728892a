/** A far side's body in memory, up to a bound. */
import { joinBytes } from '../lib/join-bytes.ts';

/** The whole body; throws where it is longer than `most` bytes. */
export async function readBounded(
  body: ReadableStream<Uint8Array> | null,
  most: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > most) throw new Error(`the answer is longer than ${most} bytes`);
    chunks.push(chunk);
  }
  return joinBytes(chunks, size);
}
