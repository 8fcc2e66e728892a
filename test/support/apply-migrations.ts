/** Brings a test's D1 to the state after all migrations; for tests inside workerd, which see no file system. */
/// <reference path="../../src/vite-raw.d.ts" />

interface Database<Statement> {
  prepare(sql: string): Statement;
  batch(statements: Statement[]): Promise<unknown>;
}

const FILES = import.meta.glob('../../migrations/*.sql', {
  query: '?raw',
  import: 'default',
  eager: true,
}) as Record<string, string>;

export async function applyMigrations<Statement>(database: Database<Statement>): Promise<void> {
  const statements = Object.keys(FILES)
    .sort()
    .flatMap((name) => FILES[name]!.replace(/^--.*$/gm, '').split(/;\s*$/m))
    .filter((sql) => sql.trim() !== '');
  await database.batch(statements.map((sql) => database.prepare(sql)));
}
