/** Writes a stream to a file, in Node, Deno and Bun. */
import { chunksOf } from './chunks.ts';

// The comments keep browser bundlers from resolving the module `node:fs/promises`.
const nodeFiles = (): Promise<typeof import('node:fs/promises')> => {
  const name = 'node:fs/promises';
  return import(/* webpackIgnore: true */ /* @vite-ignore */ name);
};

/** Writes the stream to a file. Deletes the file if writing fails. */
export async function saveTo(path: string, stream: ReadableStream<Uint8Array>): Promise<void> {
  const { open, rm } = await nodeFiles();
  const file = await open(path, 'w');
  try {
    for await (const chunk of chunksOf(stream)) await file.writeFile(chunk);
  } catch (error) {
    if ((await file.stat()).isFile()) await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}
