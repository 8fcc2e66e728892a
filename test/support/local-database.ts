/** Saves the databases of a service on disk, so that services that start later can copy them. */
import { cpSync, existsSync, globSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';

const FILES = 'v3/d1/*/*.sqlite';
const BEGUN = 'TESTS_BEGUN_STATE';

/** Saves the databases of a freshly started service, so that other services copy them instead of creating their own. */
export async function saveDatabase(stateDir: string, folder: string): Promise<void> {
  for (const path of globSync(FILES, { cwd: stateDir })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    const database = new DatabaseSync(join(stateDir, path), { readOnly: true });
    await backup(database, join(folder, path));
    database.close();
  }
  process.env[BEGUN] = folder;
}

/**
 * Copies the saved databases into the state of a new service. Does nothing if no databases are saved, or if the service
 * already has state.
 */
export function restoreDatabase(stateDir: string): void {
  const folder = process.env[BEGUN];
  if (folder && !existsSync(join(stateDir, 'v3'))) cpSync(folder, stateDir, { recursive: true });
}
