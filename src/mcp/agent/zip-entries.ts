/** Stores the entries of a ZIP that a tool made, so that each has its own link. */
import { unzipSync } from 'fflate';
import type { Caller } from '../../core/caller.ts';
import { badRequest } from '../../core/errors.ts';
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

/** Whether `as` asks for links. Throws 400. */
export function isLinks(as: unknown): boolean {
  if (as === 'links' || as === 'zip') return as === 'links';
  throw badRequest('"as" must be "zip" or "links".', 'as');
}

/** Replaces a stored ZIP by its entries. Null if it is no ZIP, is too large or has too many entries. */
export async function storeEntries(
  id: string,
  storage: StoragePort,
  caller: Caller,
): Promise<StoredFile[] | null> {
  const zip = await storage.openById(id, 'as');
  if (zip.declaredType !== 'application/zip' || zip.size > MAX_ZIP_BYTES) return null;
  const entries = Object.entries(unzipSync(await zip.bytes()));
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
  await storage.remove([id]);
  return stored;
}
