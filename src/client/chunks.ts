/**
 * Iterates over a stream with a reader, because streams are not async iterable in some browsers. Cancels the stream if
 * the caller stops early.
 */
export async function* chunksOf(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
  const reader = (stream as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
