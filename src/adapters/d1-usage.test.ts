import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { applyMigrations } from '../../test/support/apply-migrations.ts';
import { usageReport } from '../access/usage-report.ts';
import type { KeyRecord } from '../core/key-store.ts';
import { D1Usage } from './d1-usage.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const DAY = 86_400_000;
const usage = new D1Usage(env.ACCOUNTS);
const call = (tool: string, at = NOW, tokens = 0) => ({
  at,
  keyId: 'k',
  accountId: 'ann',
  tool,
  tokens,
});
const refused = (message: string, at = NOW) => ({
  ...call('t', at),
  refused: { status: 429, code: 'rate_limited', message },
});

beforeAll(() => applyMigrations(env));
beforeEach(async () => {
  for (const table of ['usage_by_day', 'refused_calls', 'accounts']) {
    await env.ACCOUNTS.exec(`DELETE FROM ${table}`);
  }
  await env.ACCOUNTS.exec("INSERT INTO accounts (id, name, created_at) VALUES ('ann', 'Ann', 0)");
});

describe('stored usage', () => {
  it('adds up by day and tool over several batches', async () => {
    await usage.add([call('a', NOW, 5), call('a', NOW, 7), call('b'), call('a', NOW - DAY)]);
    await usage.add([call('a'), refused('no')]);
    const days = [
      { day: '2026-11-20', tool: 'a', calls: 1, refused: 0, tokens: 0 },
      { day: '2026-11-21', tool: 'a', calls: 3, refused: 0, tokens: 12 },
      { day: '2026-11-21', tool: 'b', calls: 1, refused: 0, tokens: 0 },
      { day: '2026-11-21', tool: 't', calls: 0, refused: 1, tokens: 0 },
    ];
    expect(await usage.days({ accountId: 'ann' }, '2026-11-20')).toEqual(days);
    expect(await usage.days({ keyId: 'k' }, '2026-11-21')).toEqual(days.slice(1));
    expect(await usage.days({ keyId: 'other' }, '2026-11-01')).toEqual([]);
  });

  it('belongs to the account for browser sessions and to the key for trial keys', async () => {
    await usage.add([
      { at: NOW, keyId: null, accountId: 'ann', tool: 'a' },
      { at: NOW, keyId: 'trial', accountId: null, tool: 'a' },
    ]);
    expect(await usage.days({ accountId: 'ann' }, '2026-11-01')).toMatchObject([{ calls: 1 }]);
    expect(await usage.days({ keyId: 'trial' }, '2026-11-01')).toMatchObject([{ calls: 1 }]);
  });

  it('counts anonymous calls and refusals, but stores no details of the refusals', async () => {
    const anonymous = { keyId: null, accountId: null, at: NOW, tool: 'a' };
    const refusal = { status: 429, code: 'rate_limited', message: 'no' };
    await usage.add([anonymous, anonymous, { ...anonymous, refused: refusal }, call('a')]);
    const { results } = await env.ACCOUNTS.prepare(
      "SELECT day, tool, calls, refused FROM usage_by_day WHERE key_id = '' AND account_id = ''",
    ).all();
    expect(results).toEqual([{ day: '2026-11-21', tool: 'a', calls: 2, refused: 1 }]);
    expect(await env.ACCOUNTS.prepare('SELECT count(*) AS n FROM refused_calls').first('n')).toBe(
      0,
    );
    expect(await usage.days({ accountId: 'ann' }, '2026-11-01')).toMatchObject([{ calls: 1 }]);
  });

  it('starts days at 00:00 UTC and months on the 1st, and reports the remaining quota', async () => {
    const midnight = Date.UTC(2026, 10, 21);
    await usage.add([
      call('a', midnight - 1, 100),
      call('a', midnight, 10),
      call('a', Date.UTC(2026, 10, 1) - 1, 1000),
      refused('no'),
    ]);
    const key = {
      id: 'k',
      name: 'n',
      display: 'd',
      kind: 'persistent',
      requestsPerDay: 3,
      tokensPerMonth: 105,
      bytesPerDay: 9,
      expiresAt: null,
    } as KeyRecord;
    const report = await usageReport({ keyId: 'k' }, [key], usage, NOW, async () => null);
    expect(report.keys).toEqual([
      {
        name: 'n',
        display: 'd',
        kind: 'persistent',
        expiresAt: null,
        today: { requests: 1, limit: 3, remaining: 2, resetsAt: '2026-11-22T00:00:00.000Z' },
        month: { tokens: 110, limit: 105, remaining: 0, resetsAt: '2026-12-01T00:00:00.000Z' },
        stored: { bytes: 0, limit: 9, remaining: 9, resetsAt: '2026-11-22T00:00:00.000Z' },
      },
    ]);
    expect(report.refused).toEqual([
      {
        at: '2026-11-21T12:00:00.000Z',
        tool: 't',
        status: 429,
        code: 'rate_limited',
        message: 'no',
      },
    ]);
  });

  it('lists the latest refusals of a batch and counts all of them', async () => {
    await usage.add(Array.from({ length: 500 }, (_, index) => refused(`no ${index}`)));
    const listed = await usage.refused({ keyId: 'k' }, 50);
    expect(listed).toHaveLength(20);
    expect(listed[0]).toMatchObject({ message: 'no 499' });
    expect(await usage.days({ keyId: 'k' }, '2026-11-01')).toMatchObject([{ refused: 500 }]);
  });

  it('keeps the latest 100 refusals of an account or a trial key', async () => {
    const trial = { ...refused('trial'), keyId: 'trial', accountId: null };
    const session = { ...refused('session'), keyId: null };
    for (let second = 0; second < 7; second++) {
      const at = NOW + second * 1000;
      await usage.add([
        ...Array.from({ length: 30 }, () => ({ ...trial, at })),
        ...Array.from({ length: 30 }, () => refused(`no ${second}`, at)),
        { ...session, at },
      ]);
    }
    expect(await usage.refused({ keyId: 'trial' }, 1000)).toHaveLength(100);
    const listed = await usage.refused({ accountId: 'ann' }, 1000);
    expect(listed).toHaveLength(100);
    expect(listed[1]).toMatchObject({ message: 'no 6' });
    expect(await usage.days({ keyId: 'trial' }, '2026-11-01')).toMatchObject([{ refused: 210 }]);
  });

  it('is written in fewer than ten statements for 2,000 callers', async () => {
    const batch = vi.spyOn(env.ACCOUNTS, 'batch');
    const entries = Array.from({ length: 2000 }, (_, index) => ({
      ...(index % 2 ? call('t') : refused('\u0000'.repeat(400))),
      keyId: `k${index}`,
      accountId: null,
    }));
    await new D1Usage(env.ACCOUNTS).add(entries);
    expect(batch.mock.calls[0]![0].length).toBeLessThan(10);
    const total = await env.ACCOUNTS.prepare(
      'SELECT sum(calls) AS calls, sum(refused) AS refused FROM usage_by_day',
    ).first();
    expect(total).toEqual({ calls: 1000, refused: 1000 });
    batch.mockRestore();
  });

  it('is not written for a deleted account, even by a late batch', async () => {
    await env.ACCOUNTS.exec('DELETE FROM accounts');
    await usage.add([call('a'), refused('no')]);
    expect(await usage.days({ keyId: 'k' }, '2026-11-01')).toEqual([]);
    expect(await usage.refused({ keyId: 'k' }, 50)).toEqual([]);
  });

  it('is deleted after 400 days, and refusals after 30 days', async () => {
    await usage.add([call('a', NOW - 401 * DAY), refused('old', NOW - 31 * DAY), refused('new')]);
    await usage.cleanUp(NOW);
    expect(await usage.days({ keyId: 'k' }, '2020-01-01')).toHaveLength(2);
    expect(await usage.refused({ keyId: 'k' }, 50)).toMatchObject([{ message: 'new' }]);
  });
});
