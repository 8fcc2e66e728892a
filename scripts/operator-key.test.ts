import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkKeyFormat, storedFormOf } from '../src/access/api-keys.ts';
import { localBindings } from '../test/support/local-bindings.ts';
import { migrate, splitStatements } from './migrate.ts';
import { makeOperatorKey } from './operator-key.ts';
import { keyLine, listSql, revokeSql, type StoredKey } from './stored-keys.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const miniflare = localBindings();
beforeAll(async () => {
  await migrate(await miniflare.getD1Database('ACCOUNTS'), 'migrations/accounts');
});
afterAll(() => miniflare.dispose());

describe('an operator’s key', () => {
  it('is stored as its hash, with its account, quotas and expiry, and its account is created once', async () => {
    const database = await miniflare.getD1Database('ACCOUNTS');
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
        .bind((await storedFormOf(key)).hash)
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

  it('has the quotas of an account key and no expiry by default', async () => {
    const { sql, summary } = await makeOperatorKey({ account: 'ann' }, NOW);
    expect(sql).toContain('10000, 1000000, 10737418240, NULL');
    expect(summary).toBe(
      'A key for ann: 10000 requests per day, 1000000 model tokens per month, 10737418240 stored bytes per day',
    );
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

describe('operators’ keys', () => {
  const run = async (sql: string) => {
    const database = await miniflare.getD1Database('ACCOUNTS');
    const statements = splitStatements(sql).map((statement) => database.prepare(statement));
    return (await database.batch<StoredKey>(statements))[0]!.results;
  };
  const make = async (account: string) => {
    const { key, sql } = await makeOperatorKey({ account }, NOW);
    for (const statement of splitStatements(sql)) await run(statement);
    return { key, ...(await storedFormOf(key)) };
  };

  it('are listed for all or one account, without the users’ own keys', async () => {
    const [ann, bob] = [await make('list-ann'), await make('list-bob')];
    await run("INSERT INTO accounts (id, name, created_at) VALUES ('person', 'list-ann', 0)");
    await run(`INSERT INTO api_keys (id, account_id, kind, name, hash, display, requests_per_day,
      tokens_per_month, created_at) VALUES ('p', 'person', 'persistent', 'n', 'h', 'd', 1, 1, 1)`);
    const all = (await run(listSql(undefined))).map(({ display }) => display);
    expect(all).toEqual(expect.arrayContaining([ann.display, bob.display]));
    expect(all).not.toContain('d');
    const [stored, ...others] = await run(listSql('list-ann'));
    expect(others).toEqual([]);
    expect(keyLine(stored!, NOW)).toBe(
      `${ann.display}\tactive\tlist-ann\toperator key\t10000 requests per day\t1000000 tokens per month\t10737418240 stored bytes per day\t` +
        `made 2026-11-21 12:00\texpires never\tlast used never\t${stored!.id}`,
    );
    expect(await run(listSql("'; DROP TABLE api_keys; --"))).toEqual([]);
  });

  it('are revoked by id, by their displayed form or by the key, once, except the users’ own keys', async () => {
    const made = [await make('r'), await make('r'), await make('r')];
    const [stored] = await run(listSql('r'));
    const others = made.filter(({ display }) => display !== stored!.display);
    const words = [stored!.id, others[0]!.display.replace('…', '...'), others[1]!.key];
    for (const word of words) {
      expect(await run(revokeSql(word, NOW + 1))).toHaveLength(1);
      expect(await run(revokeSql(word, NOW + 1))).toEqual([]);
    }
    for (const line of (await run(listSql('r'))).map((key) => keyLine(key, NOW))) {
      expect(line).toContain('\trevoked\t');
    }
    for (const word of ['p', 'd', "' OR 1=1 --", '%']) {
      expect(await run(revokeSql(word, NOW))).toEqual([]);
    }
    expect(() => revokeSql(' ', NOW)).toThrow('--revoke');
  });
});
