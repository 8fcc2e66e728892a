/**
 * Resets a test's D1 to the empty state after all migrations; for tests inside workerd, which have no file system and
 * share one database.
 */
/// <reference path="../../src/vite-raw.d.ts" />

interface Rows {
  all<Row>(): Promise<{ results: Row[] }>;
}

interface Database<Statement> {
  prepare(sql: string): Statement;
  batch(statements: Statement[]): Promise<unknown>;
}

const FILES = import.meta.glob('../../migrations/*.sql', {
  query: '?raw',
  import: 'default',
  eager: true,
}) as Record<string, string>;

export async function applyMigrations<Statement extends Rows>(
  database: Database<Statement>,
): Promise<void> {
  await dropTables(database);
  const statements = Object.keys(FILES)
    .sort()
    .flatMap((name) => FILES[name]!.replace(/^--.*$/gm, '').split(/;\s*$/m))
    .filter((sql) => sql.trim() !== '');
  await database.batch(statements.map((sql) => database.prepare(sql)));
}

/** Virtual tables first, because they own their shadow tables. */
async function dropTables<Statement extends Rows>(database: Database<Statement>): Promise<void> {
  const { results } = await database
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' ORDER BY sql GLOB 'CREATE VIRTUAL*' DESC",
    )
    .all<{ name: string }>();
  const drops = results.map(({ name }) => database.prepare(`DROP TABLE IF EXISTS ${name}`));
  if (drops.length > 0)
    await database.batch([database.prepare('PRAGMA defer_foreign_keys = on'), ...drops]);
}
