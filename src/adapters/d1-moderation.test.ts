import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { applyMigrations } from '../../test/support/apply-migrations.ts';
import { makerNames } from '../access/makers.ts';
import { DAY_MS } from '../core/calendar.ts';
import { type AbuseReport, MAKER_KEY_LIFE_MS, MAKER_LIFE_MS } from '../core/moderation.ts';
import { D1Links } from './d1-links.ts';
import { D1Moderation } from './d1-moderation.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const store = new D1Moderation(env.ACCOUNTS, env.LINKS);
const links = new D1Links(
  env.LINKS,
  'https://tools.example',
  ({ address }) => `address.1.${address}`,
);

const act = (name: string, subject: string, at = NOW) => ({
  at,
  who: 'shell',
  act: name,
  subject,
  note: 'why',
});
const report = (id: string): AbuseReport => ({
  id,
  subject: 'link:abc',
  reason: 'phishing',
  details: '',
  contact: '',
  createdAt: NOW,
  closedAt: null,
});

beforeEach(() => applyMigrations(env));

describe('the key for maker names', () => {
  it('is created once, rotated after 30 days and deleted 90 days later', async () => {
    const [one, two] = await Promise.all([store.snapshot(NOW), store.snapshot(NOW)]);
    expect(one.makerKeys).toHaveLength(1);
    expect(two.makerKeys).toEqual(one.makerKeys);
    expect((await store.snapshot(NOW + MAKER_KEY_LIFE_MS - 1)).makerKeys).toEqual(one.makerKeys);

    const later = NOW + MAKER_KEY_LIFE_MS;
    const { makerKeys } = await store.snapshot(later);
    expect(makerKeys.map(({ id }) => id)).toEqual([2, 1]);
    const caller = { address: '203.0.113.7' };
    const [now, before] = makerNames(makerKeys, caller);
    expect(now).not.toBe(before);
    expect(before).toBe(makerNames(one.makerKeys, caller)[0]);

    const end = NOW + MAKER_KEY_LIFE_MS + MAKER_LIFE_MS;
    await store.cleanUp(end);
    expect((await store.snapshot(end)).makerKeys.map(({ id }) => id)).not.toContain(1);
    const ids = await env.ACCOUNTS.prepare('SELECT id FROM maker_keys').all();
    expect(ids.results).not.toContainEqual({ id: 1 });
  });
});

describe('a short link', () => {
  it('is created together with its maker, whose name is deleted after 90 days', async () => {
    await links.create('abc', 'https://example.com/', { address: 'x' });
    const made = (await store.link('abc'))!;
    expect(made).toMatchObject({ maker: 'address.1.x', removed: null, warned: null });
    expect(await store.newestLinks(9, ['address.1.x'])).toEqual([made]);
    expect(await store.newestLinks(9, ['address.1.y'])).toEqual([]);
    await store.cleanUp(made.createdAt + MAKER_LIFE_MS - 1);
    expect((await store.link('abc'))!.maker).toBe('address.1.x');
    await store.cleanUp(made.createdAt + MAKER_LIFE_MS);
    expect((await store.link('abc'))!.maker).toBeNull();
  });

  it('is returned with the operator’s decision about it', async () => {
    await links.create('abc', 'https://example.com/', { address: 'x' });
    await store.markLink('abc', { removed: null, warned: 'phishing' }, act('warn', 'link:abc'));
    expect(await links.find('abc')).toMatchObject({ removed: null, warned: 'phishing' });
  });
});

describe('an operator’s act', () => {
  it('records who, what, when and why, unless it changes nothing', async () => {
    const block = {
      kind: 'network',
      value: '203.0.113.7/32',
      note: 'why',
      createdAt: NOW,
      expiresAt: NOW + DAY_MS,
    } as const;
    const subject = 'network:203.0.113.7/32';
    expect(await store.block(block, act('block', subject))).toBe(true);
    expect((await store.snapshot(NOW)).blocks).toEqual([block]);
    // A second block on a network replaces the first one.
    expect(await store.block({ ...block, expiresAt: null }, act('block', subject))).toBe(true);
    expect((await store.snapshot(NOW + 2 * DAY_MS)).blocks).toEqual([
      { ...block, expiresAt: null },
    ]);
    expect(await store.unblock(block, act('unblock', subject, NOW + 1))).toBe(true);
    expect(await store.unblock(block, act('unblock', subject, NOW + 2))).toBe(false);
    expect(await store.acts(9, subject)).toEqual([
      act('unblock', subject, NOW + 1),
      act('block', subject),
      act('block', subject),
    ]);
    expect(
      await store.markLink('none', { removed: 'spam', warned: null }, act('remove', 'x')),
    ).toBe(false);
    expect(await store.revokeKey('none', act('revoke', 'x'))).toBe(false);
    expect(await store.acts(9, 'x')).toEqual([]);
  });
});

describe('abuse reports', () => {
  it('are listed in order until closed and deleted 90 days later', async () => {
    await store.addReport(report('r_1'), 9);
    await store.addReport({ ...report('r_2'), createdAt: NOW + 1 }, 9);
    expect((await store.openReports(9)).map(({ id }) => id)).toEqual(['r_1', 'r_2']);
    expect(await store.closeReport('r_1', act('close', 'report:r_1'))).toBe(true);
    expect(await store.closeReport('r_1', act('close', 'report:r_1'))).toBe(false);
    expect((await store.openReports(9)).map(({ id }) => id)).toEqual(['r_2']);
    await store.cleanUp(NOW + 90 * DAY_MS);
    expect(await store.report('r_1')).toBeNull();
    expect(await store.report('r_2')).not.toBeNull();
  });

  it('are refused while too many are open', async () => {
    expect(await store.addReport(report('r_1'), 1)).toBe(true);
    expect(await store.addReport(report('r_2'), 1)).toBe(false);
  });
});

it('deletes expired blocks after 30 days and acts after 400 days', async () => {
  const block = { kind: 'host', value: 'a.example', note: 'n', createdAt: NOW } as const;
  await store.block({ ...block, expiresAt: NOW }, act('block', 'host:a.example'));
  await store.cleanUp(NOW + 30 * DAY_MS - 1);
  const count = () => env.ACCOUNTS.prepare('SELECT count(*) AS n FROM blocks').first('n');
  expect(await count()).toBe(1);
  await store.cleanUp(NOW + 30 * DAY_MS);
  expect(await count()).toBe(0);
  expect(await store.acts(9)).toHaveLength(1);
  await store.cleanUp(NOW + 400 * DAY_MS);
  expect(await store.acts(9)).toEqual([]);
});
