import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { unlimitedStorage } from '../../test/support/unlimited-storage.ts';
import { R2Cache } from './r2-cache.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const textOf = (found: Uint8Array | null) => found && new TextDecoder().decode(found);

/** Reads the value as a different isolate would, with an empty memory cache. */
const elsewhere = async (key: string) =>
  textOf(await new R2Cache(env.FILES, unlimitedStorage).get(key));

describe('the R2 cache', () => {
  it('returns a stored value in every isolate', async () => {
    const cache = new R2Cache(env.FILES, unlimitedStorage);
    const key = `any key, of any length: ${'x'.repeat(5000)} ü`;
    expect(await cache.get(key)).toBeNull();
    await cache.put(key, bytes('kept'), 60);
    expect(textOf(await cache.get(key))).toBe('kept');
    await expect.poll(() => elsewhere(key)).toBe('kept');
    expect(await cache.get(`${key}.`)).toBeNull();
  });

  it('keeps the first of two values until it expires', async () => {
    const cache = new R2Cache(env.FILES, unlimitedStorage);
    await Promise.all(['one', 'two'].map((text) => cache.put('race', bytes(text), 60)));
    expect(textOf(await cache.get('race'))).toBe('one');
    await cache.put('late', bytes('one'), 0);
    await cache.put('late', bytes('two'), 60);
    expect(textOf(await cache.get('late'))).toBe('two');
  });

  it('expires a value after the given lifetime', async () => {
    const cache = new R2Cache(env.FILES, unlimitedStorage);
    await cache.put('short', bytes('a'), 0);
    expect(await cache.get('short')).toBeNull();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await new R2Cache(env.FILES, unlimitedStorage).get('short')).toBeNull();
  });

  it('returns nothing instead of an error when R2 fails', async () => {
    const broken = { get: () => Promise.reject(new Error('down')) } as unknown as R2Bucket;
    expect(await new R2Cache(broken, unlimitedStorage).get('any')).toBeNull();
  });

  it('deletes all expired values, wherever the clean-up starts', async () => {
    const cache = new R2Cache(env.FILES, unlimitedStorage);
    for (let index = 0; index < 20; index += 1) await cache.put(`old ${index}`, bytes('a'), 1);
    await cache.put('living', bytes('a'), 3600);
    await expect.poll(() => elsewhere('living')).toBe('a');
    let deleted = 0;
    for (let tries = 0; tries < 200 && deleted < 20; tries += 1) {
      deleted += await cache.cleanUp(Date.now() + 2000);
    }
    expect(deleted).toBeGreaterThanOrEqual(19);
    expect(await elsewhere('living')).toBe('a');
  });

  it('continues deleting while much has expired and stops otherwise', async () => {
    const left = Array.from(
      { length: 3500 },
      (_, index) => `cache/${String(index).padStart(4, '0')}`,
    );
    const full = {
      list: async () => ({
        objects: left
          .slice(0, 1000)
          .map((key) => ({ key, customMetadata: { end: key > 'cache/3050' ? '9' : '1' } })),
      }),
      delete: async (keys: string[]) => void left.splice(0, keys.length),
    };
    expect(await new R2Cache(full as unknown as R2Bucket, unlimitedStorage).cleanUp(5)).toBe(3051);
    expect(left).toHaveLength(449);
  });

  it('keeps recent values in memory and evicts older ones', async () => {
    let reads = 0;
    const get = async () => {
      reads += 1;
      return null;
    };
    const counting = { get, put: async () => {} };
    const cache = new R2Cache(counting as unknown as R2Bucket, unlimitedStorage);
    for (let index = 0; index < 100; index += 1) {
      await cache.put(`key ${index}`, new Uint8Array(60_000), 60);
    }
    await cache.get('key 99');
    expect(reads).toBe(0);
    await cache.get('key 0');
    expect(reads).toBe(1);
  });
});
