/** Opens the accounts database of a local service on disk. The service may be running. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The maximum time that a statement waits for the service to release the database lock, in milliseconds. */
const BUSY_MS = 60_000;

/** Opens the accounts database in `stateDir`. Throws if no service has run there. */
export function openDatabase(stateDir: string): DatabaseSync {
  for (const path of globSync('v3/d1/*/*.sqlite', { cwd: stateDir })) {
    const database = new DatabaseSync(join(stateDir, path), { timeout: BUSY_MS });
    if (hasTable(database, 'accounts')) return database;
    database.close();
  }
  throw new Error(`there is no database with accounts in ${stateDir}`);
}

export const hasTable = (database: DatabaseSync, name: string): boolean =>
  database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !==
  undefined;
