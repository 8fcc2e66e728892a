/** Compresses bytes in memory, and decompresses bytes or a stream (RFC 1952). */

export const gzip = (bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> =>
  whole(streamOf(bytes).pipeThrough(new CompressionStream('gzip')));

/** Returns the decompressed bytes of a stream. */
export const gunzip = (stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> =>
  stream.pipeThrough(new DecompressionStream('gzip'));

/** Decompresses the bytes that `gzip` compressed. */
export const gunzipped = (bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> =>
  whole(gunzip(streamOf(bytes)));

const streamOf = (bytes: Uint8Array) => new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();

const whole = async (stream: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await new Response(stream).arrayBuffer());
