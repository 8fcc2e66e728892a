/** Stores the entries of a ZIP that a tool made, so that each has its own link. */
import { unzipSync } from 'fflate';
import type { Caller } from '../../core/caller.ts';
import { MB, OUTPUT_LIFE_SECONDS } from '../../core/limits.ts';
import type { StoragePort, StoredFile } from '../../core/ports.ts';

/** The entries are held in memory, and each is written to storage by itself. */
const MAX_ZIP_BYTES = 32 * MB;
const MOST_ENTRIES = 100;

const TYPES: Record<string, string> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
};

/** Null if the ZIP is too large or has too many entries. */
export async function storeEntries(
  zip: StoredFile,
  storage: StoragePort,
  caller: Caller,
): Promise<StoredFile[] | null> {
  if (zip.size > MAX_ZIP_BYTES) return null;
  const entries = Object.entries(unzipSync(await (await storage.openById(zip.id, 'as')).bytes()));
  if (entries.length > MOST_ENTRIES) return null;
  const stored: StoredFile[] = [];
  try {
    for (const [filename, bytes] of entries) {
      const contentType = TYPES[filename.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
      const options = { filename, contentType, lifeSeconds: OUTPUT_LIFE_SECONDS, caller };
      stored.push(await storage.store(bytes, options));
    }
  } catch (error) {
    await storage.remove(stored.map(({ id }) => id));
    throw error;
  }
  await storage.remove([zip.id]);
  return stored;
}
