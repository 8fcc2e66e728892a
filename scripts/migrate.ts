/** Applies the pending D1 migrations in order, as `wrangler d1 migrations apply` does. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Statement {
  bind(...values: unknown[]): Statement;
  all(): Promise<{ results: Record<string, unknown>[] }>;
}

interface Database {
  prepare(sql: string): Statement;
  batch(statements: Statement[]): Promise<unknown>;
}

/** Uses the same table as wrangler, so that `wrangler dev` and `npm start` can share a database. */
const TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;

/** Applies the pending migrations and returns their names. Each migration is applied completely or not at all. */
export async function migrate(database: Database, folder: string): Promise<string[]> {
  await database.batch([database.prepare(TABLE)]);
  const applied = await appliedTo(database);
  const pending = readdirSync(folder)
    .filter((name) => name.endsWith('.sql') && !applied.has(name))
    .sort();
  const done: string[] = [];
  for (const name of pending) {
    const statements = splitStatements(readFileSync(join(folder, name), 'utf8'));
    try {
      await database.batch([
        ...statements.map((sql) => database.prepare(sql)),
        database.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name),
      ]);
      done.push(name);
    } catch (error) {
      // Another process that uses the same state may already have applied the migration.
      if (!(await appliedTo(database)).has(name)) throw error;
    }
  }
  return done;
}

async function appliedTo(database: Database): Promise<Set<unknown>> {
  const { results } = await database.prepare('SELECT name FROM d1_migrations').all();
  return new Set(results.map(({ name }) => name));
}

/**
 * Splits SQL into statements and drops comment lines. A statement ends with a semicolon at the end of a line. A trigger
 * ends with `END;`.
 */
export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  let current = '';
  for (const line of sql.split('\n')) {
    if (line.trimStart().startsWith('--')) continue;
    current += `${line}\n`;
    const inTrigger = /^\s*CREATE\s+TRIGGER\b/i.test(current) && !/\bEND\s*;\s*$/i.test(current);
    if (/;\s*$/.test(line) && !inTrigger) {
      statements.push(current.trim());
      current = '';
    }
  }
  if (current.trim() !== '') statements.push(current.trim());
  return statements;
}
