import { describe, expect, it } from 'vitest';
import type { PartHealth } from './health.ts';
import { type HealthCheck, HealthHistory, type HealthStore } from './health-history.ts';

const part = (name: string): PartHealth => ({ name, state: 'ok', ms: 3, detail: 'private' });

describe('the health check history', () => {
  it('stores each check without its details, and reading it runs no check', async () => {
    const checks: HealthCheck[] = [];
    let requested = 0;
    const store: HealthStore = {
      add: async (check) => void checks.push(check),
      since: async () => checks,
      days: async () => [],
    };
    const checkAll = async () => {
      requested += 1;
      return [part('database')];
    };
    const history = new HealthHistory(store, checkAll, () => {});
    await history.check(false);
    const at = expect.any(Number);
    const expected = [{ at, parts: [{ name: 'database', state: 'ok', ms: 3 }] }];
    expect((await history.read()).checks).toEqual(expected);
    await history.read();
    expect([requested, checks]).toEqual([1, expected]);
  });

  it('returns its own last check without a database, and reports what the database throws', async () => {
    const down = new Error('D1 is down');
    const fails = async () => {
      throw down;
    };
    const store = { add: fails, since: fails, days: fails };
    const reported: unknown[] = [];
    const onError = (error: unknown) => void reported.push(error);
    const history = new HealthHistory(store, async () => [part('files')], onError);
    expect(await history.read()).toMatchObject({ checks: [], days: [] });
    expect(await history.check(true)).toEqual([part('files')]);
    expect(await history.last()).toMatchObject({ parts: [{ name: 'files' }] });
    expect(new Set(reported)).toEqual(new Set([down]));
  });
});
