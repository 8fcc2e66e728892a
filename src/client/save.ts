/** Writes a stream to a file, in Node, Deno and Bun. */

// The comments keep bundlers for browsers from looking for the module.
const nodeFiles = (): Promise<typeof import('node:fs/promises')> => {
  const name = 'node:fs/promises';
  return import(/* webpackIgnore: true */ /* @vite-ignore */ name);
};

export async function saveTo(path: string, stream: ReadableStream<Uint8Array>): Promise<void> {
  const { open } = await nodeFiles();
  const file = await open(path, 'w');
  const reader = stream.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      await file.writeFile(read.value);
    }
  } finally {
    await reader.cancel().catch(() => {});
    await file.close();
  }
}
