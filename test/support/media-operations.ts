/** Implements the media port with the media worker's real operations, in the same process, for tests of tools. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OPERATIONS } from '../../containers/media/operations/registry.ts';
import { WorkLimit } from '../../containers/media/work-limit.ts';
import type { MediaPort } from '../../src/core/ports.ts';

export const mediaOperations: MediaPort = {
  async run(name, params, inputs, signal) {
    const operation = OPERATIONS.get(name);
    if (!operation) throw new Error(`no operation ${name}`);
    const directory = await mkdtemp(join(tmpdir(), 'media-operations-'));
    try {
      const files = await Promise.all(
        inputs.map(async (input, index) => {
          const path = join(directory, `input-${index}`);
          await writeFile(path, await input.bytes());
          return { name: input.name, size: input.size, path };
        }),
      );
      const limit = WorkLimit.forFiles(files);
      const { contentType, size, meta, open } = await operation.run(params, files, {
        directory,
        signal,
        limit,
      });
      const pieces: BlobPart[] = [];
      for await (const piece of open()) pieces.push(new Uint8Array(piece));
      return { body: new Blob(pieces).stream(), contentType, size, meta };
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  },
};
