/**
 * Copies tables from version 2.0's single database to their current databases, with wrangler's export and import.
 * Existing rows are not changed.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MOVED_TABLES } from '../move-tables.ts';

/** Runs wrangler and returns its stdout. */
type Wrangler = (...args: string[]) => Promise<string>;

const INSERT = /^INSERT INTO /m;

const ALL = Object.values(MOVED_TABLES).flatMap((tables) => Object.keys(tables));

/** Returns the tables that still have to be moved out of ACCOUNTS. */
export async function tablesToMove(wrangler: Wrangler, env: readonly string[]): Promise<string[]> {
  const names = ALL.map((name) => `'${name}'`).join(', ');
  const sql = `SELECT name FROM sqlite_master WHERE type = 'table' AND name IN (${names})`;
  const stdout = await wrangler(...executing('ACCOUNTS', env), '--json', '--command', sql);
  const [{ results = [] } = {}] = JSON.parse(stdout || '[]') as { results?: { name: string }[] }[];
  return results.map(({ name }) => name);
}

/**
 * Copies the rows and returns them as SQL. Skips the rows in `copied`, because the new version may have deleted them.
 */
export async function copyRows(
  wrangler: Wrangler,
  env: readonly string[],
  tables: readonly string[],
  copied: ReadonlySet<string> = new Set(),
): Promise<Set<string>> {
  const all = new Set<string>();
  const folder = mkdtempSync(join(tmpdir(), 'tools-rows-'));
  try {
    for (const binding of ['LINKS', 'DB'] as const) {
      const output = join(folder, `${binding}.sql`);
      const moved = tables.filter((table) => table in MOVED_TABLES[binding]);
      if (moved.length === 0) continue;
      const chosen = moved.flatMap((table) => ['--table', table]);
      const exporting = ['d1', 'export', 'ACCOUNTS', '--remote', ...env, '--skip-confirmation'];
      await wrangler(...exporting, '--no-schema', ...chosen, '--output', output);
      const sql = existsSync(output) ? readFileSync(output, 'utf8') : '';
      const rows = sql
        .split(INSERT)
        .slice(1)
        .filter((row) => !copied.has(row));
      if (rows.length === 0) continue;
      for (const row of rows) all.add(row);
      writeFileSync(output, rows.map((row) => `INSERT OR IGNORE INTO ${row}`).join(''));
      await wrangler(...executing(binding, env), '--file', output);
    }
    return all;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export async function dropTables(
  wrangler: Wrangler,
  env: readonly string[],
  tables: readonly string[],
): Promise<void> {
  const drops = tables.map((table) => `DROP TABLE ${table};`).join(' ');
  await wrangler(...executing('ACCOUNTS', env), '--command', drops);
}

const executing = (binding: string, env: readonly string[]) => [
  ...['d1', 'execute', binding, '--remote', ...env, '--yes'],
];
