/** Copies the database of a local service on disk for services that start later. */
import { cpSync, existsSync, globSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';

const FILES = 'v3/d1/*/*.sqlite';
const BEGUN = 'TESTS_BEGUN_STATE';

/**
 * Copies the database of a service that has just started, so that other services need not create
 * it.
 */
export async function saveDatabase(stateDir: string, folder: string): Promise<void> {
  for (const path of globSync(FILES, { cwd: stateDir })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    const database = new DatabaseSync(join(stateDir, path), { readOnly: true });
    await backup(database, join(folder, path));
    database.close();
  }
  process.env[BEGUN] = folder;
}

/** Copies that database into the state of a new service, unless the service has one. */
export function restoreDatabase(stateDir: string): void {
  const folder = process.env[BEGUN];
  if (folder && !existsSync(join(stateDir, 'v3'))) cpSync(folder, stateDir, { recursive: true });
}
