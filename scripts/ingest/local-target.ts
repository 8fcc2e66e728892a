/** The database of the running local service, through Miniflare. */
import type { Target } from './ingest.ts';
import { literal } from './literal.ts';

interface Database {
  prepare(sql: string): { all(): Promise<{ results: Record<string, unknown>[] }> };
  /** Each line is a statement. */
  exec(sql: string): Promise<unknown>;
}

export function localTarget(database: Database): Target {
  return {
    async query(statement) {
      return (await database.prepare(literal(statement)).all()).results;
    },
    async run(statements, beforeEach) {
      for (const statement of statements) {
        await beforeEach();
        // Bound statements would stay in workerd's memory until this process collects its garbage: 70 MB of 50,000
        // passages.
        await database.exec(literal(statement));
      }
    },
  };
}
