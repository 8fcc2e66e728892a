import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { D1Links } from './d1-links.ts';

const LINK = { url: 'https://example.com/', removed: null, warned: null };

/** Returns isolates of a data center, and the link in the database. */
function isolates(baseUrl = 'https://t.example') {
  const stored = { link: LINK as typeof LINK | null, reads: 0 };
  const first = async () => {
    stored.reads += 1;
    return stored.link;
  };
  const statement = { bind: () => ({ first }) };
  const database = { withSession: () => database, prepare: () => statement } as unknown;
  const isolate = () =>
    new D1Links(database as D1Database, baseUrl, undefined, () => caches.open('links'));
  return { stored, one: isolate(), other: isolate() };
}

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

it('a link opened in one isolate is read from the cache in another', async () => {
  const { stored, one, other } = isolates();
  for (const isolate of [one, other, one]) expect(await isolate.find('shared')).toEqual(LINK);
  expect(stored.reads).toBe(1);
});

it('a cached link is read again 30 seconds after its first read in any isolate', async () => {
  const { stored, one, other } = isolates();
  await one.find('old');
  const removed = { ...LINK, removed: 'phishing' };
  stored.link = removed as never;
  vi.setSystemTime(Date.now() + 29_000);
  expect(await other.find('old')).toEqual(LINK);
  vi.setSystemTime(Date.now() + 1000);
  for (const isolate of [other, one]) expect(await isolate.find('old')).toEqual(removed);
});

it('a link is read from the database in the isolate where an operator changed it', async () => {
  const { stored, one, other } = isolates();
  await one.find('changed');
  const removed = { ...LINK, removed: 'phishing' };
  stored.link = removed as never;
  vi.setSystemTime(Date.now() + 1000);
  other.forget();
  vi.setSystemTime(Date.now() + 1);
  expect(await other.find('changed')).toEqual(removed);
});

it('a link is not found in another deployment or before it is created', async () => {
  const { one } = isolates();
  await one.find('mine');
  const { stored, one: elsewhere, other } = isolates('https://other.example');
  stored.link = null;
  expect(await elsewhere.find('mine')).toBeNull();
  stored.link = LINK;
  expect(await other.find('mine')).toEqual(LINK);
});
