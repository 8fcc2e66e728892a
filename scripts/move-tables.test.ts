import { afterAll, expect, it } from 'vitest';
import { localBindings } from '../test/support/local-bindings.ts';
import { migrate } from './migrate.ts';
import { MOVED_TABLES, moveTables } from './move-tables.ts';

const miniflare = localBindings();
afterAll(() => miniflare.dispose());

const BINDINGS = ['ACCOUNTS', 'LINKS', 'DB'] as const;
const TABLES = Object.values(MOVED_TABLES).flatMap((tables) => Object.keys(tables));
const PORTION = 2;
const LINKS = 5;

async function databases() {
  const [ACCOUNTS, LINKS, DB] = await Promise.all(
    BINDINGS.map((binding) => miniflare.getD1Database(binding)),
  );
  return { ACCOUNTS: ACCOUNTS!, LINKS: LINKS!, DB: DB! };
}

const tablesOf = async (database: D1Database): Promise<string[]> => {
  const { results } = await database
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*'",
    )
    .all<{ name: string }>();
  return results.map(({ name }) => name);
};

/** Returns databases in the state of version 2.0, after this version's migrations. */
async function oldState() {
  const opened = await databases();
  for (const database of Object.values(opened)) {
    const drops = (await tablesOf(database)).map((name) =>
      database.prepare(`DROP TABLE IF EXISTS ${name}`),
    );
    await database.batch([database.prepare('PRAGMA defer_foreign_keys = on'), ...drops]);
  }
  const { ACCOUNTS } = opened;
  await migrate(ACCOUNTS, 'migrations/accounts');
  await ACCOUNTS.batch(
    [
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${LINKS})
         INSERT INTO short_links SELECT 'c' || i, 'https://a.example/?' || char(10) || i, i, i, NULL, NULL, NULL FROM n`,
      "UPDATE short_links SET maker = 'address.1.x', removed = 'spam' WHERE code = 'c3'",
      "INSERT INTO uploads VALUES ('h', 'a''b', NULL, 5, 'account:a')",
      "INSERT INTO uploaded_files VALUES ('h', 'f', 5)",
      "INSERT INTO agent_files VALUES ('o', 'f', 'n', 't', 1, 5), ('o', 'g', 'n', 't', 1, 5)",
      "INSERT INTO health_checks VALUES (60000, 60001, '[]')",
      "INSERT INTO health_days VALUES ('2026-01-01', 'links', 3, 2, 1)",
      "INSERT INTO passage_vectors VALUES ('m', 'd', 'AAAA')",
      "INSERT INTO accounts (id, name, created_at) VALUES ('ann', 'Ann', 0)",
    ].map((sql) => ACCOUNTS.prepare(sql)),
  );
  await migrate(opened.LINKS, 'migrations/links');
  await migrate(opened.DB, 'migrations/main');
  return opened;
}

/** Returns the rows of all databases. Rows that are being moved may be in two databases. */
async function rowsOf(
  opened: Awaited<ReturnType<typeof databases>>,
  whileMoving = false,
): Promise<unknown> {
  const rows: Record<string, unknown[]> = {};
  for (const database of Object.values(opened)) {
    for (const table of await tablesOf(database)) {
      if (!TABLES.includes(table)) continue;
      const { results } = await database.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all();
      rows[table] = [...(rows[table] ?? []), ...results];
    }
  }
  if (!whileMoving) return rows;
  const once = (all: unknown[]) =>
    [...new Set(all.map((row) => JSON.stringify(row)))].sort().map((row) => JSON.parse(row));
  return Object.fromEntries(Object.entries(rows).map(([table, all]) => [table, once(all)]));
}

/** Wraps the databases so that they throw an error after this many batches. */
function killedAfter(opened: Awaited<ReturnType<typeof databases>>, batches: number) {
  let done = 0;
  const entries = Object.entries(opened).map(([binding, database]) => [
    binding,
    {
      prepare: (sql: string) => database.prepare(sql),
      batch: async (statements: D1PreparedStatement[]) => {
        await database.batch(statements);
        done += 1;
        if (done === batches) throw new Error('killed');
      },
    },
  ]);
  return Object.fromEntries(entries) as never;
}

it('every row is moved once, wherever the process is killed', async () => {
  const opened = await oldState();
  const expected = await rowsOf(opened);
  let kills = 0;
  // The number of batches varies, so that each run stops at a different point of a move.
  while ((await moveTables(killedAfter(opened, 1 + (kills % 3)), PORTION).catch(String)) !== 0) {
    expect(await rowsOf(opened, true)).toEqual(expected);
    kills += 1;
  }
  expect(kills).toBeGreaterThan(10);
  expect(await rowsOf(opened)).toEqual(expected);
  expect(await tablesOf(opened.ACCOUNTS)).toEqual(expect.not.arrayContaining(TABLES));
  expect(await opened.ACCOUNTS.prepare('SELECT count(*) AS n FROM accounts').first('n')).toBe(1);
});
