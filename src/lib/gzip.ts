/** Bytes that fit in memory, compressed and back. */
import { joinBytes } from './join-bytes.ts';

export async function gzip(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  return whole(streamOf(bytes).pipeThrough(new CompressionStream('gzip')));
}

/** The decompressed bytes of a stream. */
export const gunzip = (stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> =>
  stream.pipeThrough(new DecompressionStream('gzip'));

/** The bytes as they were before `gzip`. */
export const gunzipped = (bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> =>
  whole(gunzip(streamOf(bytes)));

const streamOf = (bytes: Uint8Array) => new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();

async function whole(stream: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return joinBytes(
    chunks,
    chunks.reduce((size, { byteLength }) => size + byteLength, 0),
  );
}
