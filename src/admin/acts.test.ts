import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { applyMigrations } from '../../test/support/apply-migrations.ts';
import { makeKey, QUOTAS, storedFormOf } from '../access/api-keys.ts';
import { makerOf } from '../access/makers.ts';
import type { Caller } from '../core/caller.ts';
import type { Reason } from '../core/moderation.ts';
import { type Services, servicesOf } from '../services.ts';
import { type ActFields, perform } from './acts.ts';
import { Finder } from './find.ts';

const NOW = Date.now();
const OPERATOR = '11111111-1111-4111-8111-111111111111';
const ACCOUNT = '22222222-2222-4222-8222-222222222222';
const KEY_ID = 'abcdefabcdefabcdefabcdefabcdefab';
const ENV = { ...env, ADMIN_ACCOUNTS: OPERATOR };
const OPERATING = { who: 'shell:ann', addresses: ['203.0.113.7'] };
const CALLER: Caller = { address: '198.51.100.9', accountId: ACCOUNT };

let services: Services;
let secret: string;

const act = (fields: ActFields) =>
  perform(services, OPERATING, { note: 'because', ...fields }, NOW);
const find = (text: string) => new Finder(services).find(text, NOW);
const recorded = async () => (await services.moderation.acts(99)).map(({ act: name }) => name);
const storeFile = () =>
  services.ports.storage.store(new TextEncoder().encode('bytes'), {
    filename: 'a b.exe',
    contentType: 'application/octet-stream',
    lifeSeconds: 3600,
    caller: CALLER,
  });

beforeEach(async () => {
  await applyMigrations(env);
  services = servicesOf(ENV);
  await services.blocks.reload();
  for (const id of [OPERATOR, ACCOUNT]) {
    await env.ACCOUNTS.prepare('INSERT INTO accounts (id, name, created_at) VALUES (?, ?, ?)')
      .bind(id, 'Name', NOW)
      .run();
  }
  secret = makeKey();
  const key = { id: KEY_ID, accountId: ACCOUNT, kind: 'persistent', name: 'k' } as const;
  await services.keys.create(
    { ...key, expiresAt: null, ...(await storedFormOf(secret)), ...QUOTAS.persistent },
    NOW,
    { working: 20, inADay: 20 },
  );
});

describe('moderating a stored file', () => {
  it('finds it by link or ID, shows its maker, and removes it with a reason', async () => {
    const { id, url } = await storeFile();
    const { subject, facts, related } = await find(url);
    expect(subject).toEqual({ kind: 'file', value: id });
    expect((await find(id)).subject).toEqual(subject);
    expect(Object.fromEntries(facts)).toMatchObject({ Name: 'a b.exe', Bytes: '5' });
    const maker = related.find((row) => row.subject.startsWith('maker:'))!.subject;
    const ofMaker = (await find(maker)).related.map((row) => row.subject);
    expect(ofMaker).toEqual([`account:${ACCOUNT}`, `file:${id}`]);

    await act({ act: 'remove', subject: `file:${id}`, reason: 'malware' });
    expect((await find(id)).facts).toContainEqual(['Removed', 'malware']);
    await expect(
      act({ act: 'remove', subject: `file:${id}`, reason: 'malware' }),
    ).rejects.toMatchObject({ status: 409 });
    expect(await recorded()).toEqual(['remove malware']);
  });
});

describe('moderating a short link', () => {
  it('finds it by address, adds a warning, removes it and restores it', async () => {
    await services.links.create('abc', 'https://bad.example/x', CALLER);
    const { subject, related } = await find('http://localhost:8787/abc');
    expect(subject).toEqual({ kind: 'link', value: 'abc' });
    expect(related.map((row) => row.subject)).toContain('host:bad.example');
    const marks: [ActFields, { removed: Reason | null; warned: Reason | null }][] = [
      [
        { act: 'warn', reason: 'phishing' },
        { removed: null, warned: 'phishing' },
      ],
      [
        { act: 'remove', reason: 'spam' },
        { removed: 'spam', warned: null },
      ],
      [{ act: 'restore' }, { removed: null, warned: null }],
    ];
    for (const [fields, mark] of marks) {
      await act({ ...fields, subject: 'link:abc' });
      services.links.forget();
      expect(await services.links.find('abc')).toMatchObject(mark);
    }
    expect(await recorded()).toEqual(['restore', 'remove spam', 'warn phishing']);
  });
});

describe('moderating an API key', () => {
  it.each([
    ['its ID', () => KEY_ID],
    ['its display form', () => `${secret.slice(0, 8)}…${secret.slice(-4)}`],
    ['its display form with dots', () => `${secret.slice(0, 8)}...${secret.slice(-4)}`],
    ['the full key', () => secret],
  ])('finds it by %s without recording the secret', async (_, text) => {
    expect((await find(text())).subject).toEqual({ kind: 'key', value: KEY_ID });
    await act({ act: 'revoke', subject: `key:${text()}` });
    expect((await services.keys.get(KEY_ID))!.revokedAt).toBe(NOW);
    const rows = JSON.stringify(await services.moderation.acts(9));
    expect(rows).toContain(`key:${KEY_ID}`);
    expect(rows).not.toContain(secret);
  });

  it('sets the given quotas and keeps the others', async () => {
    await act({ act: 'quotas', subject: `key:${KEY_ID}`, requestsPerDay: '7' });
    expect(await services.keys.get(KEY_ID)).toMatchObject({
      requestsPerDay: 7,
      tokensPerMonth: QUOTAS.persistent.tokensPerMonth,
    });
    expect(await recorded()).toEqual(['quotas requestsPerDay=7']);
    await expect(
      act({ act: 'quotas', subject: `key:${KEY_ID}`, bytesPerDay: '1e9' }),
    ).rejects.toMatchObject({ status: 400, param: 'bytesPerDay' });
    await expect(act({ act: 'quotas', subject: `key:${KEY_ID}` })).rejects.toMatchObject({
      status: 400,
      param: 'requestsPerDay',
    });
    expect(await recorded()).toHaveLength(1);
  });
});

describe('moderating an account', () => {
  it('finds it by ID and name, with its usage and everything it owns', async () => {
    await services.links.create('abc', 'https://a.example/', CALLER);
    const { id } = await storeFile();
    await services.usage.add([
      { at: NOW, keyId: KEY_ID, accountId: ACCOUNT, tool: 'encode_base64' },
    ]);
    const { facts, related } = await find(ACCOUNT);
    expect(Object.fromEntries(facts)).toMatchObject({ Name: 'Name', Block: 'none' });
    expect(facts).toContainEqual([expect.stringContaining('Calls'), '1']);
    expect(related.map((row) => row.subject)).toEqual([`key:${KEY_ID}`, 'link:abc', `file:${id}`]);
    const named = await find('Name');
    expect(named.related.map((row) => row.subject).sort()).toEqual([
      `account:${OPERATOR}`,
      `account:${ACCOUNT}`,
    ]);
  });

  it('blocks all its calls until a date, and unblocks it', async () => {
    const subject = `account:${ACCOUNT}`;
    await act({ act: 'block', subject, expires: '2035-01-31' });
    await services.blocks.reload();
    expect(() => services.blocks.refuseKnown(CALLER)).toThrow('2035-02-01T00:00Z');
    await act({ act: 'unblock', subject });
    await services.blocks.reload();
    services.blocks.refuseKnown(CALLER);
    expect(await recorded()).toEqual(['unblock', 'block 2035-01-31']);
  });
});

describe('handling a report', () => {
  it('finds it and closes it once', async () => {
    const id = 'r_000000000000';
    await services.moderation.addReport(
      {
        id,
        subject: 'link:abc',
        reason: 'spam',
        details: '',
        contact: '',
        createdAt: NOW,
        closedAt: null,
      },
      9,
    );
    expect((await find(id)).related).toMatchObject([{ subject: 'link:abc' }]);
    await act({ act: 'close', subject: `report:${id}` });
    await expect(act({ act: 'close', subject: `report:${id}` })).rejects.toMatchObject({
      status: 409,
    });
    expect((await new Finder(services).overview(NOW)).reports).toEqual([]);
  });
});

describe('an operator’s act', () => {
  it.each([
    ['host:Bad_Name.Example.', 'bad_name.example'],
    ['host:bücher.example', 'xn--bcher-kva.example'],
    ['host:[2001:DB8::1]', '[2001:db8::1]'],
    ['host:192.0.2.7', '192.0.2.7'],
  ])('blocks host %s as links name it: %s', async (subject, host) => {
    expect(await act({ act: 'block', subject })).toEqual({ kind: 'host', value: host });
    await services.blocks.reload();
    expect(services.blocks.blocksHost(host)).toBe(true);
  });

  it.each(['com', 'example.', '1234', 'a.example/path', 'a.example:80', 'ann@a.example', '.com'])(
    'does not block the host %s',
    async (host) => {
      await expect(act({ act: 'block', subject: `host:${host}` })).rejects.toMatchObject({
        status: 400,
        param: 'subject',
      });
    },
  );

  it.each<[string, ActFields, number, string | undefined]>([
    ['without a name', { subject: 'link:abc' }, 400, 'act'],
    ['with the name of a prototype member', { act: 'toString', subject: 'link:abc' }, 400, 'act'],
    ['without a subject', { act: 'restore' }, 400, 'subject'],
    ['on the wrong kind of subject', { act: 'revoke', subject: 'link:abc' }, 400, 'subject'],
    ['without a note', { act: 'restore', subject: 'link:abc', note: ' ' }, 400, 'note'],
    ['with two lines', { act: 'restore', subject: 'link:abc', note: 'a\nb' }, 400, 'note'],
    ['without a reason', { act: 'remove', subject: 'link:abc' }, 400, 'reason'],
    ['on an unknown link', { act: 'restore', subject: 'link:none' }, 409, undefined],
    [
      'on an unknown key',
      { act: 'quotas', subject: 'key:none', requestsPerDay: '1' },
      409,
      undefined,
    ],
    [
      'on an unknown account',
      { act: 'block', subject: `account:${'3'.repeat(8)}` },
      409,
      undefined,
    ],
    [
      'with a past expiry',
      { act: 'block', subject: 'host:a.example', expires: '2020-01-01' },
      400,
      'expires',
    ],
    ['on the whole internet', { act: 'block', subject: 'network:0.0.0.0/0' }, 400, 'subject'],
    ['on half of the internet', { act: 'block', subject: 'network:8000::/1' }, 400, 'subject'],
    ['on the operator’s address', { act: 'block', subject: 'network:203.0.113.7' }, 409, 'subject'],
    [
      'on the operator’s IPv4-mapped address',
      { act: 'block', subject: 'network:::ffff:203.0.113.7' },
      409,
      'subject',
    ],
    [
      'on the operator’s network',
      { act: 'block', subject: 'network:203.0.0.0/16' },
      409,
      'subject',
    ],
    ['on an operator', { act: 'block', subject: `account:${OPERATOR}` }, 409, 'subject'],
  ])('rejects an act %s without recording it', async (_, fields, status, param) => {
    await expect(act(fields)).rejects.toMatchObject({ status, param });
    expect(await recorded()).toEqual([]);
  });

  it('is refused on the operator’s own maker', async () => {
    const { makerKeys } = await services.moderation.snapshot(NOW);
    for (const caller of [
      { address: OPERATING.addresses[0]! },
      { address: '', accountId: OPERATOR },
    ]) {
      const subject = `maker:${makerOf(makerKeys, caller)}`;
      await expect(act({ act: 'block', subject })).rejects.toMatchObject({ status: 409 });
    }
    await act({ act: 'block', subject: `maker:${makerOf(makerKeys, CALLER)}` });
    await services.blocks.reload();
    expect(() => services.blocks.refuseKnown(CALLER)).toThrow('blocked');
  });
});

it('the search returns nothing for text that matches nothing', async () => {
  for (const text of [
    '',
    'link:none',
    'file:x',
    'no such thing',
    'tsk_',
    'report:r_000000000000',
  ]) {
    await expect(find(text)).rejects.toMatchObject({ status: 404 });
  }
});
