/** A file that a tool made, where bytes cannot be handed out: stored for 24 hours, told by its link. */
import type { StoragePort, StoredFile } from '../core/ports.ts';
import type { FileOutput } from '../core/tool-output.ts';

const LIFE_SECONDS = 24 * 3600;

export function storeOutput(output: FileOutput, storage: StoragePort): Promise<StoredFile> {
  const { body, size, filename, contentType } = output;
  return storage.store(body instanceof Uint8Array ? body : { stream: body, size }, {
    filename,
    contentType,
    lifeSeconds: LIFE_SECONDS,
  });
}
