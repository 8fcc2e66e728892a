/** Migrates the databases of a local service to this version: applies migrations and moves tables between databases. */
import type { Miniflare } from 'miniflare';
import { migrate } from './migrate.ts';
import { moveTables } from './move-tables.ts';

export async function migrateAll(miniflare: Miniflare): Promise<void> {
  const [ACCOUNTS, LINKS, DB] = await Promise.all([
    miniflare.getD1Database('ACCOUNTS'),
    miniflare.getD1Database('LINKS'),
    miniflare.getD1Database('DB'),
  ]);
  await migrate(ACCOUNTS, 'migrations/accounts');
  await migrate(LINKS, 'migrations/links');
  await migrate(DB, 'migrations/main');
  await moveTables({ ACCOUNTS, LINKS, DB });
}
