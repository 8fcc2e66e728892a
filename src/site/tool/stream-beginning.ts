/** Reads the beginning of a stream of unknown length into memory. */

/** Reads about `most` bytes. If there are more, `bytes` is empty and `rest` is the whole stream from its start. */
export async function beginning(
  stream: ReadableStream<Uint8Array>,
  most: number,
): Promise<{ bytes: Uint8Array; rest?: ReadableStream<Uint8Array> }> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (size <= most) {
    const { done, value } = await reader.read();
    if (done) return { bytes: joined(chunks, size) };
    chunks.push(value);
    size += value.length;
  }
  reader.releaseLock();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const put = async () => {
    const writer = writable.getWriter();
    for (const chunk of chunks.splice(0)) await writer.write(chunk);
    writer.releaseLock();
    await stream.pipeTo(writable);
  };
  // Passes errors to the reader, and cancels the stream if the reader stops early.
  put().catch((error) => stream.cancel(error).catch(() => {}));
  return { bytes: new Uint8Array(), rest: readable };
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
