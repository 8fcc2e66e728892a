/**
 * Detects from the first bytes of a file whether it is an image or a PDF. Images are detected first, because a comment
 * in an image may contain `%PDF-`.
 */
import { open } from 'node:fs/promises';
import { readableKind } from '../../../src/lib/image-kind.ts';
import { isPdf } from '../../../src/lib/magic-bytes.ts';

const HEAD_BYTES = 64 * 1024;

/** Returns null if the file is neither an image nor a PDF. */
export async function documentKind(path: string): Promise<'image' | 'pdf' | null> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const head = buffer.subarray(0, bytesRead);
    if (readableKind(head)) return 'image';
    return isPdf(head) ? 'pdf' : null;
  } finally {
    await handle.close();
  }
}
