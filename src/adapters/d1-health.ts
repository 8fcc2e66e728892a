/** The history of health checks on D1: at most one check for each minute, and counts for each day. */
import { periodOf } from '../core/calendar.ts';
import type { HealthCheck, HealthDay, HealthStore } from '../core/health-history.ts';

const MINUTE_MS = 60_000;

export class D1Health implements HealthStore {
  readonly #database: D1Database;

  constructor(database: D1Database) {
    this.#database = database;
  }

  async add({ at, parts }: HealthCheck, oldest: { check: number; day: string }): Promise<void> {
    const minute = at - (at % MINUTE_MS);
    const { name: day } = periodOf('day', at);
    const count = this.#database.prepare(
      `INSERT INTO health_days (day, part, checks, degraded, down) VALUES (?, ?, 1, ?, ?)
       ON CONFLICT DO UPDATE SET checks = checks + 1, degraded = degraded + excluded.degraded, down = down + excluded.down`,
    );
    await this.#database.batch([
      this.#database
        .prepare('INSERT OR REPLACE INTO health_checks (minute, at, parts) VALUES (?, ?, ?)')
        .bind(minute, at, JSON.stringify(parts)),
      ...parts.map(({ name, state }) =>
        count.bind(day, name, state === 'degraded' ? 1 : 0, state === 'down' ? 1 : 0),
      ),
      this.#database.prepare('DELETE FROM health_checks WHERE minute < ?').bind(oldest.check),
      this.#database.prepare('DELETE FROM health_days WHERE day < ?').bind(oldest.day),
    ]);
  }

  async since(time: number): Promise<HealthCheck[]> {
    const { results } = await this.#database
      .prepare('SELECT at, parts FROM health_checks WHERE minute >= ? ORDER BY minute')
      .bind(time)
      .all<{ at: number; parts: string }>();
    return results.map(({ at, parts }) => ({ at, parts: JSON.parse(parts) }));
  }

  async days(first: string): Promise<HealthDay[]> {
    const { results } = await this.#database
      .prepare('SELECT day, part, checks, degraded, down FROM health_days WHERE day >= ?')
      .bind(first)
      .all<HealthDay>();
    return results;
  }
}
