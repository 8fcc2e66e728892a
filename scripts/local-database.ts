/** The database of a local service on disk, which may be running. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** How long a statement waits for the service's own. */
const BUSY_MS = 60_000;

/** Opens the database in `stateDir`. Throws if there is none, because no service has run on that folder. */
export function openDatabase(stateDir: string): DatabaseSync {
  const [path, ...others] = globSync('v3/d1/*/*.sqlite', { cwd: stateDir }).filter(
    (file) => !file.endsWith('/metadata.sqlite'),
  );
  if (!path || others.length > 0) throw new Error(`there is no one database in ${stateDir}`);
  return new DatabaseSync(join(stateDir, path), { timeout: BUSY_MS });
}
