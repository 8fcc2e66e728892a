import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { applyMigrations } from '../../test/support/apply-migrations.ts';
import { cleanUp } from '../clean-up.ts';
import { servicesOf } from '../services.ts';
import { deletePortions, PORTION } from './in-portions.ts';

beforeEach(() => applyMigrations(env));

/** These tables stay small. Operators enter the blocks, and one maker key is created per month. */
const SMALL = ['blocks', 'maker_keys'];

/** Wraps the database to record the prepared statements. */
function noting(database: D1Database, statements: string[]): D1Database {
  return {
    prepare(sql: string) {
      statements.push(sql);
      return database.prepare(sql);
    },
    batch: (all: D1PreparedStatement[]) => database.batch(all),
  } as unknown as D1Database;
}

describe('deleting in batches', () => {
  it('uses an index and deletes at most one batch per statement', async () => {
    const noted = (['ACCOUNTS', 'LINKS', 'DB'] as const).map((binding) => {
      const statements: string[] = [];
      return { binding, statements, database: noting(env[binding], statements) };
    });
    const databases = noted.map(({ binding, database }) => [binding, database]);
    await cleanUp(servicesOf({ ...env, ...Object.fromEntries(databases) }), Date.now());
    const prepared = noted.flatMap(({ binding, statements }) =>
      statements.map((sql) => ({ binding, sql })),
    );
    expect(prepared.length).toBeGreaterThan(10);
    for (const { binding, sql } of prepared) {
      const isSmall = SMALL.some((table) => sql.includes(` ${table} `));
      if (isSmall) continue;
      expect(sql).toContain(`LIMIT ${PORTION}`);
      const values = Array.from(sql.match(/\?/g) ?? [], () => 1);
      const plan = await env[binding]
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .bind(...values)
        .all<{ detail: string }>();
      const steps = plan.results.map(({ detail }) => detail).filter((step) => /SCAN/.test(step));
      expect([sql, steps]).toEqual([sql, []]);
    }
  });

  it('continues while batches are full, and returns the number of deleted rows', async () => {
    const rows = PORTION * 2 + 1;
    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO uploads (hash, filename, expires_at) SELECT i, 'f', 5 FROM n`,
    )
      .bind(rows)
      .run();
    expect(await deletePortions(env.DB, 'uploads', 'hash', 'expires_at <= ?1', 4)).toBe(0);
    expect(await deletePortions(env.DB, 'uploads', 'hash', 'expires_at <= ?1', 5)).toBe(rows);
  });
});
