import { describe, expect, it } from 'vitest';
import type { FoundKey } from '../core/key-store.ts';
import { CachedKeys } from './cached-keys.ts';

/** Creates two isolates of one data center and their shared fake database. */
function lookUps() {
  const database = { key: null as FoundKey | null, reads: 0 };
  const store = {
    find: async () => {
      database.reads += 1;
      return database.key;
    },
  };
  return { database, one: new CachedKeys(store), other: new CachedKeys(store) };
}

const keyNamed = (name: string) => ({ id: 'k', name }) as FoundKey;

describe('a cached key', () => {
  it('is read by other isolates without a database query', async () => {
    const { database, one, other } = lookUps();
    database.key = keyNamed('first');
    for (const isolate of [one, other, one])
      expect(await isolate.find('found')).toEqual(keyNamed('first'));
    expect(database.reads).toBe(1);
  });

  it('is replaced for all isolates once it is outdated', async () => {
    const { database, one, other } = lookUps();
    database.key = keyNamed('first');
    await one.find('outdated');
    database.key = keyNamed('second');
    expect(await one.find('outdated', true)).toEqual(keyNamed('second'));
    expect(await other.find('outdated')).toEqual(keyNamed('second'));
    expect(database.reads).toBe(2);
  });

  it('is found after creation and not after deletion', async () => {
    const { database, one, other } = lookUps();
    expect(await one.find('created')).toBeNull();
    database.key = keyNamed('created');
    expect(await one.find('created')).toEqual(keyNamed('created'));
    database.key = null;
    await one.find('created', true);
    expect(await other.find('created')).toBeNull();
  });
});
