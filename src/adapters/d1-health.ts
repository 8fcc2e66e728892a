/** The history of health checks on D1, at most one for each minute. */
import type { HealthCheck, HealthStore } from '../core/health-history.ts';

const MINUTE_MS = 60_000;

export class D1Health implements HealthStore {
  readonly #database: D1Database;

  constructor(database: D1Database) {
    this.#database = database;
  }

  async add({ at, parts }: HealthCheck, oldest: number): Promise<void> {
    const minute = at - (at % MINUTE_MS);
    await this.#database.batch([
      this.#database
        .prepare('INSERT OR REPLACE INTO health_checks (minute, at, parts) VALUES (?, ?, ?)')
        .bind(minute, at, JSON.stringify(parts)),
      this.#database.prepare('DELETE FROM health_checks WHERE minute < ?').bind(oldest),
    ]);
  }

  async since(time: number): Promise<HealthCheck[]> {
    const { results } = await this.#database
      .prepare('SELECT at, parts FROM health_checks WHERE minute >= ? ORDER BY minute')
      .bind(time)
      .all<{ at: number; parts: string }>();
    return results.map(({ at, parts }) => ({ at, parts: JSON.parse(parts) }));
  }
}
