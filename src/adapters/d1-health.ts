/**
 * The D1 store of health checks. It contains at most one check per minute, and daily totals for each part of the
 * service.
 */
import { periodOf } from '../core/calendar.ts';
import type { HealthCheck, HealthDay, HealthStore } from '../core/health-history.ts';
import { D1Store } from './d1-store.ts';

const MINUTE_MS = 60_000;

export class D1Health extends D1Store implements HealthStore {
  async add({ at, parts }: HealthCheck, oldest: { check: number; day: string }): Promise<void> {
    const minute = at - (at % MINUTE_MS);
    const { name: day } = periodOf('day', at);
    const count =
      this.database.prepare(`INSERT INTO health_days (day, part, checks, degraded, down) VALUES (?, ?, 1, ?, ?)
       ON CONFLICT DO UPDATE SET checks = checks + 1, degraded = degraded + excluded.degraded, down = down + excluded.down`);
    await this.database.batch([
      this.bound('INSERT OR REPLACE INTO health_checks (minute, at, parts) VALUES (?, ?, ?)', [
        minute,
        at,
        JSON.stringify(parts),
      ]),
      ...parts.map(({ name, state }) =>
        count.bind(day, name, state === 'degraded' ? 1 : 0, state === 'down' ? 1 : 0),
      ),
      this.bound('DELETE FROM health_checks WHERE minute < ?', [oldest.check]),
      this.bound('DELETE FROM health_days WHERE day < ?', [oldest.day]),
    ]);
  }

  async since(time: number): Promise<HealthCheck[]> {
    const results = await this.all<{ at: number; parts: string }>(
      'SELECT at, parts FROM health_checks WHERE minute >= ? ORDER BY minute',
      [time],
    );
    return results.map(({ at, parts }) => ({ at, parts: JSON.parse(parts) }));
  }

  async days(first: string): Promise<HealthDay[]> {
    return this.all<HealthDay>(
      'SELECT day, part, checks, degraded, down FROM health_days WHERE day >= ?',
      [first],
    );
  }
}
