import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { applyMigrations } from '../../test/support/apply-migrations.ts';
import type { PartState } from '../core/health.ts';
import { D1Health } from './d1-health.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const MINUTE_MS = 60_000;
const ALL = { check: 0, day: '' };

beforeAll(() => applyMigrations(env));

it('keeps the last health check of each minute for a day', async () => {
  const health = new D1Health(env.DB);
  const check = (at: number, ms: number) => ({
    at,
    parts: [{ name: 'files', state: 'ok' as const, ms }],
  });
  await health.add(check(NOON, 1), ALL);
  await health.add(check(NOON + 1000, 2), ALL);
  await health.add(check(NOON + MINUTE_MS, 3), ALL);
  expect(await health.since(0)).toEqual([check(NOON + 1000, 2), check(NOON + MINUTE_MS, 3)]);
  expect(await health.since(NOON + MINUTE_MS)).toEqual([check(NOON + MINUTE_MS, 3)]);
  await health.add(check(NOON + 2 * MINUTE_MS, 4), { check: NOON + MINUTE_MS, day: '' });
  expect((await health.since(0)).map(({ parts }) => parts[0]!.ms)).toEqual([3, 4]);
});

it('counts the health checks per day for the retention period', async () => {
  await env.DB.exec('DELETE FROM health_days');
  const health = new D1Health(env.DB);
  const check = (at: number, state: PartState) => ({
    at,
    parts: [{ name: 'files', state, ms: 1 }],
  });
  const nextDay = NOON + 24 * 60 * MINUTE_MS;
  for (const state of ['ok', 'down', 'degraded', 'down'] as const)
    await health.add(check(NOON, state), ALL);
  await health.add(check(nextDay, 'ok'), ALL);
  const second = { day: '2026-11-22', part: 'files', checks: 1, degraded: 0, down: 0 };
  expect(await health.days('')).toEqual([
    { day: '2026-11-21', part: 'files', checks: 4, degraded: 1, down: 2 },
    second,
  ]);
  expect(await health.days('2026-11-22')).toEqual([second]);
  await health.add(check(nextDay, 'ok'), { check: 0, day: '2026-11-22' });
  expect(await health.days('')).toEqual([{ ...second, checks: 2 }]);
});
