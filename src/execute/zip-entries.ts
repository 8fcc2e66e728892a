/** Stores the entries of a ZIP that a tool created, so that each entry has a link. */
import { unzipSync } from 'fflate';
import type { Caller } from '../core/caller.ts';
import { badRequest } from '../core/errors.ts';
import { MAX_LINKED_ENTRIES, MB, OUTPUT_LIFE_SECONDS } from '../core/limits.ts';
import type { StoragePort, StoredFile } from '../core/ports.ts';
import type { FileFacts } from '../core/tool-output.ts';
import { log } from '../lib/log.ts';
import { measureImage } from '../web/image-size.ts';

/** The maximum size of a ZIP in bytes. The size is limited because the entries are held in memory. */
const MAX_ZIP_BYTES = 32 * MB;

const TYPES: Record<string, string> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
};

/** Whether the value of `as` is `links`. Throws 400 unless the value is `links` or `zip`. */
export function isLinks(as: unknown): boolean {
  if (as === 'links' || as === 'zip') return as === 'links';
  throw badRequest('"as" must be "zip" or "links".', 'as');
}

/**
 * Replaces a stored ZIP with its entries. Returns null if the file is not a ZIP, is too large or has too many entries.
 * @param known the properties that the tool reported about each entry, in order
 */
export async function storeEntries(
  id: string,
  known: readonly FileFacts[],
  storage: StoragePort,
  caller: Caller,
): Promise<(StoredFile & FileFacts)[] | null> {
  const zip = await storage.openById(id, 'as');
  if (zip.declaredType !== 'application/zip' || zip.size > MAX_ZIP_BYTES) return null;
  const entries = Object.entries(unzipSync(await zip.bytes()));
  if (entries.length > MAX_LINKED_ENTRIES) return null;
  const stored: (StoredFile & FileFacts)[] = [];
  try {
    for (const [index, [filename, bytes]] of entries.entries()) {
      const contentType = TYPES[filename.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
      const options = { filename, contentType, lifeSeconds: OUTPUT_LIFE_SECONDS, caller };
      const { format: _, ...size } = measureImage(bytes) ?? {};
      stored.push({ ...(await storage.store(bytes, options)), ...size, ...known[index] });
    }
  } catch (error) {
    // The entries expire even if they are not removed, so a failure to remove them must not replace the error.
    await storage.remove(stored.map(({ id }) => id)).catch(reportUnremoved);
    throw error;
  }
  await storage.remove([id]);
  return stored;
}

const reportUnremoved = (cause: unknown) => log('error', 'entries-not-removed', { cause });
