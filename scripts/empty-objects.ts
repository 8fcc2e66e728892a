/**
 * Deletes the database files of Durable Objects that store nothing. workerd creates a file when an object is opened,
 * even for the ID of a job that never existed, and keeps it when the object deletes its data.
 */
import { existsSync, unlinkSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The size in bytes of an SQLite database without a table, which has one page. */
const EMPTY_BYTES = 4096;
const OBJECT = /^[0-9a-f]{64}\.sqlite$/;
/** The age in milliseconds at which a file is deleted. The object of a running call is younger. */
const UNUSED_MS = 3600_000;
const INTERVAL_MS = 15 * 60_000;

/** Deletes the files now and every 15 minutes. Returns a function that stops these runs. */
export function startDeletingEmptyObjects(stateDir: string): () => void {
  const remove = () => {
    deleteEmptyObjects(stateDir, Date.now()).catch((error: unknown) =>
      console.error(
        `Could not delete empty Durable Object files. Retrying in 15 minutes: ${String(error)}`,
      ),
    );
  };
  const timer = setInterval(remove, INTERVAL_MS);
  timer.unref();
  remove();
  return () => clearInterval(timer);
}

/** Deletes the files that are unused at `now`, in milliseconds since the epoch. */
export async function deleteEmptyObjects(stateDir: string, now: number): Promise<void> {
  const root = join(stateDir, 'v3/do');
  for (const folder of await namesIn(root)) {
    for (const name of await namesIn(join(root, folder))) {
      if (!OBJECT.test(name)) continue;
      const path = join(root, folder, name);
      const { size, mtimeMs } = await stat(path);
      if (size > EMPTY_BYTES || mtimeMs > now - UNUSED_MS) continue;
      // While workerd has the object open, there is a write-ahead log. The check is synchronous, so that workerd has
      // almost no time to open the object before its file is deleted.
      if (!existsSync(`${path}-wal`)) unlinkSync(path);
    }
  }
}

/** Returns the names of the entries, or an empty list if the folder does not exist yet. */
const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
