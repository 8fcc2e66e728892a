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
    const history = new HealthHistory(store, async () => {
      requested += 1;
      return [part('database')];
    });
    await history.check(false);
    const at = expect.any(Number);
    const expected = [{ at, parts: [{ name: 'database', state: 'ok', ms: 3 }] }];
    expect((await history.read()).checks).toEqual(expected);
    await history.read();
    expect([requested, checks]).toEqual([1, expected]);
  });

  it('returns its own last check without a database', async () => {
    const fails = async () => {
      throw new Error('D1 is down');
    };
    const history = new HealthHistory({ add: fails, since: fails, days: fails }, async () => [
      part('files'),
    ]);
    expect(await history.read()).toMatchObject({ checks: [], days: [] });
    expect(await history.check(true)).toEqual([part('files')]);
    expect(await history.last()).toMatchObject({ parts: [{ name: 'files' }] });
  });
});
