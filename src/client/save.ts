/** Writes a stream to a file, in Node, Deno and Bun. */
import { chunksOf } from './chunks.ts';

// The comments keep bundlers for browsers from looking for the module.
const nodeFiles = (): Promise<typeof import('node:fs/promises')> => {
  const name = 'node:fs/promises';
  return import(/* webpackIgnore: true */ /* @vite-ignore */ name);
};

export async function saveTo(path: string, stream: ReadableStream<Uint8Array>): Promise<void> {
  const { open } = await nodeFiles();
  const file = await open(path, 'w');
  try {
    for await (const chunk of chunksOf(stream)) await file.writeFile(chunk);
  } finally {
    await file.close();
  }
}
