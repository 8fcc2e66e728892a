/**
 * Tests that deleting an account removes or anonymizes all of its data. It reads every table of D1 and every object of
 * R2. A new table makes the test fail until the test fills it or `WITHOUT_ACCOUNTS` lists it.
 */
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { applyMigrations } from '../../test/support/apply-migrations.ts';
import { unlimitedStorage } from '../../test/support/unlimited-storage.ts';
import { newRecoveryCodes } from '../access/accounts/recovery-codes.ts';
import { makeKey, QUOTAS, storedFormOf } from '../access/api-keys.ts';
import { makerOf } from '../access/makers.ts';
import type { Caller } from '../core/caller.ts';
import { D1Accounts } from './d1-accounts.ts';
import { D1AgentFiles } from './d1-agent-files.ts';
import { D1Keys } from './d1-keys.ts';
import { D1Links } from './d1-links.ts';
import { D1Moderation } from './d1-moderation.ts';
import { D1Sessions } from './d1-sessions.ts';
import { D1Uploads } from './d1-uploads.ts';
import { D1Usage } from './d1-usage.ts';
import { R2Cache } from './r2-cache.ts';
import { R2Files } from './r2-files.ts';

const NOW = Date.now();
/** The word in every ID that refers to the account. No other ID contains this word. */
const WORD = 'zanzibar';
const ACCOUNT = `${WORD}-account`;
const KEY = `${WORD}-key`;
const CALLER: Caller = { address: '192.0.2.1', accountId: ACCOUNT };

/** The tables without account data. The test also fills those that calls write to. */
const WITHOUT_ACCOUNTS = [
  'abuse_reports',
  'd1_migrations',
  'health_checks',
  'health_days',
  'maker_keys',
  'passage_vectors',
  'short_links',
  'uploaded_files',
];

const accounts = new D1Accounts(env.ACCOUNTS, env.DB);
const usage = new D1Usage(env.ACCOUNTS);
const moderation = new D1Moderation(env.ACCOUNTS, env.LINKS);

const passkey = {
  id: `${WORD}-passkey`,
  accountId: ACCOUNT,
  name: WORD,
  publicKey: 'AAAA',
  counter: 0,
  transports: ['internal'],
  createdAt: NOW,
};
const USED = [
  { at: NOW, keyId: KEY, accountId: ACCOUNT, tool: 'a' },
  {
    at: NOW,
    keyId: null,
    accountId: ACCOUNT,
    tool: 'a',
    refused: { status: 429, code: 'rate_limited', message: 'm' },
  },
] as const;

async function fill(): Promise<void> {
  await accounts.createWithPasskey(WORD, passkey);
  await accounts.linkGithub({ id: '1', login: WORD }, ACCOUNT, NOW);
  await env.ACCOUNTS.prepare('INSERT INTO oidc_users VALUES (?, ?, ?, ?, ?)')
    .bind('https://login.example', WORD, ACCOUNT, `${WORD}@example.com`, NOW)
    .run();
  await newRecoveryCodes(ACCOUNT, accounts, NOW, null);
  await accounts.issueChallenge(
    'challenge',
    { purpose: 'add', accountId: ACCOUNT, name: WORD },
    NOW + 1,
  );
  await new D1Sessions(env.ACCOUNTS).create(`${WORD}-hash`, {
    id: `${WORD}-session`,
    accountId: ACCOUNT,
    browser: 'b',
    createdAt: NOW,
    expiresAt: NOW + 1,
    passkeyAt: NOW,
  });
  const key = { id: KEY, accountId: ACCOUNT, kind: 'persistent', name: WORD } as const;
  await new D1Keys(env.ACCOUNTS).create(
    { ...key, expiresAt: null, ...(await storedFormOf(makeKey())), ...QUOTAS.persistent },
    NOW,
    { working: 20, inADay: 20 },
  );
  await usage.add(USED);
  const owner = `account:${ACCOUNT}`;
  await new D1Uploads(env.DB).create({ filename: 'a', contentType: null }, NOW, owner);
  await new D1AgentFiles(env.DB).add(owner, {
    id: 'id',
    filename: 'a',
    contentType: 'text/plain',
    size: 1,
    expiresAt: NOW + 1,
  });

  const { makerKeys } = await moderation.snapshot(NOW);
  const nameMaker = (caller: Caller) => makerOf(makerKeys, caller);
  await new D1Links(env.LINKS, 'https://tools.example', nameMaker).create(
    'abc',
    'https://a.example/',
    CALLER,
  );
  const files = new R2Files(env.FILES, 'https://tools.example', unlimitedStorage, nameMaker);
  await files.store(new TextEncoder().encode('bytes'), {
    filename: 'a.txt',
    contentType: 'text/plain',
    lifeSeconds: 3600,
    caller: CALLER,
  });
  await new R2Cache(env.FILES, unlimitedStorage).put(
    'key',
    new TextEncoder().encode('value'),
    3600,
  );
  await moderation.addReport(
    {
      id: 'r_1',
      subject: 'link:abc',
      reason: 'spam',
      details: '',
      contact: '',
      createdAt: NOW,
      closedAt: null,
    },
    9,
  );
  for (const [kind, value] of [
    ['account', ACCOUNT],
    ['key', KEY],
  ] as const) {
    const subject = `${kind}:${value}`;
    await moderation.block(
      { kind, value, note: 'n', createdAt: NOW, expiresAt: null },
      { at: NOW, who: 'shell:ann', act: 'block', subject, note: 'n' },
    );
  }
  await moderation.record({
    at: NOW,
    who: `account:${ACCOUNT}`,
    act: 'close',
    subject: 'report:r_1',
    note: 'n',
  });
}

async function tables(): Promise<{ database: D1Database; table: string }[]> {
  const found: { database: D1Database; table: string }[] = [];
  for (const database of [env.ACCOUNTS, env.LINKS, env.DB]) {
    const { results } = await database
      .prepare(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*'",
      )
      .all<{ name: string }>();
    found.push(...results.map(({ name }) => ({ database, table: name })));
  }
  return found;
}

/** Returns the tables with a row that refers to the account. */
async function tablesNaming(): Promise<string[]> {
  const naming: string[] = [];
  for (const { database, table } of await tables()) {
    const { results } = await database.prepare(`SELECT * FROM ${table}`).all();
    if (JSON.stringify(results).includes(WORD)) naming.push(table);
  }
  return naming.sort();
}

/** Returns the keys, metadata and bytes of all objects. */
async function objects(): Promise<string[]> {
  const { objects: listed } = await env.FILES.list({
    include: ['customMetadata', 'httpMetadata'],
  });
  return Promise.all(
    listed.map(async ({ key, customMetadata, httpMetadata }) => {
      const text = await (await env.FILES.get(key))!.text();
      return JSON.stringify([key, customMetadata, httpMetadata, text]);
    }),
  );
}

beforeEach(async () => {
  await applyMigrations(env);
  const { objects: listed } = await env.FILES.list();
  if (listed.length > 0) await env.FILES.delete(listed.map(({ key }) => key));
  await fill();
});

describe('a deleted account', () => {
  it('appears in no row of any table', async () => {
    const names = (await tables()).map(({ table }) => table);
    const known = names.filter((name) => !WITHOUT_ACCOUNTS.includes(name));
    expect(await tablesNaming()).toEqual(known.sort());
    await accounts.delete(ACCOUNT);
    // Simulates a batch of usage that was collected before the account was deleted.
    await usage.add(USED);
    expect(await tablesNaming()).toEqual([]);
    expect(await accounts.find(ACCOUNT)).toBeNull();
  });

  it('still exists if deleting its rows in another database fails, so the owner can retry', async () => {
    const failing = {
      prepare: (sql: string) => env.DB.prepare(sql),
      batch: () => Promise.reject(new Error('D1_ERROR: internal error')),
    } as unknown as D1Database;
    await expect(new D1Accounts(env.ACCOUNTS, failing).delete(ACCOUNT)).rejects.toThrow('internal');
    expect(await accounts.find(ACCOUNT)).not.toBeNull();
    await accounts.delete(ACCOUNT);
    expect(await tablesNaming()).toEqual([]);
  });

  it('leaves the record of what operators did to it, without its name', async () => {
    await accounts.delete(ACCOUNT);
    expect(await moderation.acts(9)).toMatchObject([
      { who: 'deleted account', act: 'close', subject: 'report:r_1' },
      { who: 'shell:ann', act: 'block', subject: 'deleted account' },
      { who: 'shell:ann', act: 'block', subject: 'deleted account' },
    ]);
  });

  it('appears in no object name: files and links contain a keyed hash of the account ID', async () => {
    const stored = await objects();
    const prefixes = stored.map((object) => JSON.parse(object)[0].split('/')[0]);
    expect([...new Set(prefixes)].sort()).toEqual(['cache', 'files']);
    expect(stored.join()).toContain('"maker":"account.1.');
    expect(stored.join()).not.toContain(WORD);
    expect((await moderation.link('abc'))!.maker).toMatch(/^account\.1\./);
  });
});
