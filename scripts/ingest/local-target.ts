/** The database of the running local service, through Miniflare. */

import type { Target } from './ingest.ts';
import type { Statement, Value } from './insert-rows.ts';

interface Prepared {
  bind(...values: Value[]): Prepared;
  all(): Promise<{ results: Record<string, unknown>[] }>;
}

interface Database {
  prepare(sql: string): Prepared;
  batch(statements: Prepared[]): Promise<unknown>;
}

/** Of some 50 KB each: in one transaction, more would take more memory of workerd. */
const BATCH = 3;

export function localTarget(database: Database): Target {
  return {
    async current() {
      const { results } = await database
        .prepare('SELECT version, digest FROM content_state WHERE id = 1')
        .all();
      return (results[0] as { version: number; digest: string } | undefined) ?? null;
    },
    async run(statements) {
      let batch: Prepared[] = [];
      const flush = async () => {
        if (batch.length > 0) await database.batch(batch);
        batch = [];
      };
      for (const { sql, values } of statements as Iterable<Statement>) {
        batch.push(database.prepare(sql).bind(...values));
        if (batch.length === BATCH) await flush();
      }
      await flush();
    },
  };
}
