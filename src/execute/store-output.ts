/** Stores the file output of a tool (api.md, Stored output link). */
import type { Caller } from '../core/caller.ts';
import { OUTPUT_LIFE_SECONDS } from '../core/limits.ts';
import type { StoragePort, StoredFile } from '../core/ports.ts';
import type { FileFacts, FileOutput } from '../core/tool-output.ts';

/**
 * Stores the output, which may be a stream that the tool is still writing. Returns the file together with the
 * properties that the tool reported.
 */
export async function storeOutput(
  output: FileOutput,
  storage: StoragePort,
  caller: Caller,
): Promise<StoredFile & FileFacts> {
  const { body, size, filename, contentType, facts } = output;
  const stored = await storage.store(body instanceof Uint8Array ? body : { stream: body, size }, {
    filename,
    contentType,
    lifeSeconds: OUTPUT_LIFE_SECONDS,
    caller,
  });
  return { ...stored, ...facts };
}
