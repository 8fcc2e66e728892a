/**
 * Resets the databases to an empty state with all migrations applied. Tests inside workerd need this, because they
 * share the databases and have no file system.
 */
/// <reference path="../../src/vite-raw.d.ts" />

import { type Database, type Databases, moveTables } from '../../scripts/move-tables.ts';

const FILES = import.meta.glob('../../migrations/*/*.sql', {
  query: '?raw',
  import: 'default',
  eager: true,
}) as Record<string, string>;

/** The folder of each database's migrations. */
const FOLDERS = { ACCOUNTS: 'accounts', LINKS: 'links', DB: 'main' } as const;

export async function applyMigrations(databases: Databases): Promise<void> {
  for (const binding of ['ACCOUNTS', 'LINKS', 'DB'] as const) {
    const database = databases[binding];
    await dropTables(database);
    const statements = Object.keys(FILES)
      .filter((path) => path.includes(`/migrations/${FOLDERS[binding]}/`))
      .sort()
      .flatMap((name) => FILES[name]!.replace(/^--.*$/gm, '').split(/;\s*$/m))
      .filter((sql) => sql.trim() !== '');
    await database.batch(statements.map((sql) => database.prepare(sql)));
  }
  await moveTables(databases);
}

/** Virtual tables are dropped first, because dropping them also drops their shadow tables. */
async function dropTables(database: Database): Promise<void> {
  const { results } = await database
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' ORDER BY sql GLOB 'CREATE VIRTUAL*' DESC",
    )
    .all();
  const drops = results.map(({ name }) => database.prepare(`DROP TABLE IF EXISTS ${name}`));
  if (drops.length > 0)
    await database.batch([database.prepare('PRAGMA defer_foreign_keys = on'), ...drops]);
}
