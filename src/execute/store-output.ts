/** A tool's file output as a stored file (api.md, Stored output link). */
import type { StoragePort, StoredFile } from '../core/ports.ts';
import type { FileOutput } from '../core/tool-output.ts';

/** How long the link of a stored output lives. */
export const OUTPUT_LIFE_SECONDS = 24 * 3600;

/** Stores what the tool made, while it is being made where it is a stream. */
export function storeOutput(output: FileOutput, storage: StoragePort): Promise<StoredFile> {
  const { body, size, filename, contentType } = output;
  return storage.store(body instanceof Uint8Array ? body : { stream: body, size }, {
    filename,
    contentType,
    lifeSeconds: OUTPUT_LIFE_SECONDS,
  });
}
