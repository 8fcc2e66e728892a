import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkKeyFormat, keptOf } from '../src/access/api-keys.ts';
import { migrate, splitStatements } from './migrate.ts';
import { makeOperatorKey } from './operator-key.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const miniflare = new Miniflare(
  convertV4MiniflareOptions({
    cf: false,
    telemetry: { enabled: false },
    modules: true,
    script: 'export default { fetch: () => new Response() }',
    d1Databases: ['DB'],
  }),
);
beforeAll(async () => {
  await migrate(await miniflare.getD1Database('DB'), 'migrations');
});
afterAll(() => miniflare.dispose());

describe('an operator’s key', () => {
  it('is stored as its hash, with its account, quotas and end; the account is made once', async () => {
    const database = await miniflare.getD1Database('DB');
    const words = {
      account: "O'Brien'; DROP TABLE accounts; --",
      'requests-per-day': '5',
      'tokens-per-month': '0',
      expires: '2027-01-31',
    };
    const made = [await makeOperatorKey(words, NOW), await makeOperatorKey(words, NOW + 1)];
    for (const { key, sql } of made) {
      expect(checkKeyFormat(key)).toBe(true);
      expect(sql).not.toContain(key);
      for (const statement of splitStatements(sql)) await database.prepare(statement).run();
      const row = await database
        .prepare('SELECT * FROM api_keys JOIN accounts ON accounts.id = account_id WHERE hash = ?')
        .bind((await keptOf(key)).hash)
        .first();
      expect(row).toMatchObject({
        name: words.account,
        kind: 'persistent',
        requests_per_day: 5,
        tokens_per_month: 0,
        expires_at: Date.UTC(2027, 1, 1),
        revoked_at: null,
      });
    }
    expect(await database.prepare('SELECT count(*) AS n FROM accounts').first('n')).toBe(1);
  });

  it('has the quotas of every account’s key, and no end, unless told otherwise', async () => {
    const { sql, summary } = await makeOperatorKey({ account: 'ann' }, NOW);
    expect(sql).toContain('10000, 1000000, NULL');
    expect(summary).toBe('A key for ann: 10000 requests a day, 1000000 model tokens a month');
  });

  it.each([
    ['account', {}],
    ['account', { account: ' ' }],
    ['account', { account: 'a\nb' }],
    ['name', { account: 'a', name: 'x'.repeat(61) }],
    ['requests-per-day', { account: 'a', 'requests-per-day': '-1' }],
    ['requests-per-day', { account: 'a', 'requests-per-day': '1e9' }],
    ['tokens-per-month', { account: 'a', 'tokens-per-month': 'many' }],
    ['expires', { account: 'a', expires: 'soon' }],
    ['expires', { account: 'a', expires: '2020-01-01' }],
    ['expires', { account: 'a', expires: '01/02/2030' }],
    ['expires', { account: 'a', expires: '2027-02-31' }],
    ['expires', { account: 'a', expires: '9999-12-31' }],
  ])('is refused naming --%s: %j', async (option, words) => {
    await expect(makeOperatorKey(words, NOW)).rejects.toThrow(`--${option}`);
  });
});
