import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { unlimitedStorage } from '../../test/support/unlimited-storage.ts';
import { CachedResults } from './cached-results.ts';
import { R2Cache } from './r2-cache.ts';

const DAY = 24 * 3600;
const cache = new CachedResults(new R2Cache(env.FILES, unlimitedStorage));
const never = new AbortController().signal;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

afterEach(() => vi.useRealTimers());

describe('cached results', () => {
  it('expire after their lifetime', async () => {
    const make = vi.fn(async () => ({ a: 1 }));
    const rememberLife = () => cache.remember(['life'], DAY, never, make);
    expect(await rememberLife()).toEqual({ value: { a: 1 }, cached: false });
    expect(await rememberLife()).toEqual({ value: { a: 1 }, cached: true });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + (DAY + 1) * 1000 });
    expect(await rememberLife()).toEqual({ value: { a: 1 }, cached: false });
    expect(make).toHaveBeenCalledTimes(2);
  });

  it('are separate for keys with different parts', async () => {
    for (const key of [['a', 'b'], ['ab'], ['a', true], ['a', 'true'], ['a']]) {
      expect(await cache.remember(key, DAY, never, async () => 1)).toMatchObject({ cached: false });
    }
  });

  it('are computed by one of several concurrent callers', async () => {
    const make = vi.fn(async () => {
      await pause(60);
      return 'x';
    });
    const requested = Array.from({ length: 5 }, () => cache.remember(['same'], DAY, never, make));
    expect((await Promise.all(requested)).filter(({ cached }) => !cached)).toHaveLength(1);
    expect(make).toHaveBeenCalledTimes(1);
  });

  it('are checked for a value from another isolate before computing', async () => {
    const other = new CachedResults(new R2Cache(env.FILES, unlimitedStorage));
    const work = async (look: () => Promise<string | null>) => {
      expect(await look()).toBeNull();
      await other.remember(['elsewhere'], DAY, never, async () => 'theirs');
      await expect.poll(look).toBe('theirs');
      return (await look())!;
    };
    const found = await cache.remember(['elsewhere'], DAY, never, work);
    expect(found).toEqual({ value: 'theirs', cached: true });
  });

  it('share a failure with all waiting callers but do not cache it', async () => {
    const fail = async () => {
      await pause(40);
      throw new Error('no');
    };
    const requested = [1, 2, 3].map(() => cache.remember(['failure'], DAY, never, fail));
    const settled = await Promise.allSettled(requested);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await cache.remember(['failure'], DAY, never, async () => 1)).toMatchObject({
      value: 1,
    });
  });

  it('are computed by the next caller when the first one disconnects', async () => {
    const leaving = new AbortController();
    const first = cache.remember(['left'], DAY, leaving.signal, () => pause(10_000));
    const second = cache.remember(['left'], DAY, never, async () => 'second');
    first.catch(() => {});
    await pause(30);
    leaving.abort();
    expect(await second).toEqual({ value: 'second', cached: false });
  });
});
