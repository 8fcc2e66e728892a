/**
 * Moves tables from ACCOUNTS, version 2.0's single database, to their current databases. Each portion of rows is
 * written to the new database before it is deleted from the old one, so an interrupted move continues at the next
 * start.
 */

/** The moved tables by their current database, with the primary key of each table. */
export const MOVED_TABLES = {
  LINKS: { short_links: 'code' },
  DB: {
    uploads: 'hash',
    uploaded_files: 'hash',
    agent_files: 'owner, file_id',
    health_checks: 'minute',
    health_days: 'day, part',
    passage_vectors: 'model, digest',
  },
} as const;

interface Statement {
  bind(...values: unknown[]): Statement;
  all(): Promise<{ results: Record<string, unknown>[] }>;
}

export interface Database {
  prepare(sql: string): Statement;
  batch(statements: Statement[]): Promise<unknown>;
}

export type Databases = Record<'ACCOUNTS' | keyof typeof MOVED_TABLES, Database>;

const PORTION = 500;

/**
 * Moves the tables and returns the number of moved rows. All migrations must be applied first, and no other process may
 * use the databases.
 */
export async function moveTables(databases: Databases, portion = PORTION): Promise<number> {
  const { ACCOUNTS: from } = databases;
  const { results } = await from
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
    .all();
  const present = new Set(results.map(({ name }) => name));
  let moved = 0;
  for (const binding of ['LINKS', 'DB'] as const) {
    for (const [table, key] of Object.entries(MOVED_TABLES[binding])) {
      if (!present.has(table)) continue;
      moved += await moveRows(from, databases[binding], { table, key, portion });
      await from.batch([from.prepare(`DROP TABLE ${table}`)]);
    }
  }
  return moved;
}

async function moveRows(
  from: Database,
  to: Database,
  { table, key, portion }: { table: string; key: string; portion: number },
): Promise<number> {
  const next = `FROM ${table} ORDER BY ${key} LIMIT ${portion}`;
  for (let moved = 0; ; ) {
    const { results: rows } = await from.prepare(`SELECT * ${next}`).all();
    if (rows.length === 0) return moved;
    const columns = Object.keys(rows[0]!);
    const insert = to.prepare(
      `INSERT INTO ${table} (${columns}) VALUES (${columns.map(() => '?')}) ON CONFLICT DO NOTHING`,
    );
    await to.batch(rows.map((row) => insert.bind(...Object.values(row))));
    await from.batch([
      from.prepare(`DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} ${next})`),
    ]);
    moved += rows.length;
  }
}
