/** A tool's file output as a stored file (api.md, Stored output link). */
import type { Caller } from '../core/caller.ts';
import { OUTPUT_LIFE_SECONDS } from '../core/limits.ts';
import type { StoragePort, StoredFile } from '../core/ports.ts';
import type { FileOutput } from '../core/tool-output.ts';

/** Stores what the tool made, while it is being made where it is a stream. */
export function storeOutput(
  output: FileOutput,
  storage: StoragePort,
  caller: Caller,
): Promise<StoredFile> {
  const { body, size, filename, contentType } = output;
  return storage.store(body instanceof Uint8Array ? body : { stream: body, size }, {
    filename,
    contentType,
    lifeSeconds: OUTPUT_LIFE_SECONDS,
    caller,
  });
}
