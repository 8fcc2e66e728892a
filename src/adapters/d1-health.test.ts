import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { applyMigrations } from '../../test/support/apply-migrations.ts';
import { D1Health } from './d1-health.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const MINUTE_MS = 60_000;

beforeAll(() => applyMigrations(env.DB));

it('keeps the last check of each minute, for a day', async () => {
  const health = new D1Health(env.DB);
  const check = (at: number, ms: number) => ({
    at,
    parts: [{ name: 'files', state: 'ok' as const, ms }],
  });
  await health.add(check(NOON, 1), 0);
  await health.add(check(NOON + 1000, 2), 0);
  await health.add(check(NOON + MINUTE_MS, 3), 0);
  expect(await health.since(0)).toEqual([check(NOON + 1000, 2), check(NOON + MINUTE_MS, 3)]);
  expect(await health.since(NOON + MINUTE_MS)).toEqual([check(NOON + MINUTE_MS, 3)]);
  await health.add(check(NOON + 2 * MINUTE_MS, 4), NOON + MINUTE_MS);
  expect((await health.since(0)).map(({ parts }) => parts[0]!.ms)).toEqual([3, 4]);
});
