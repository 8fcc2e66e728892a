import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { unlimitedStorage } from '../../test/support/unlimited-storage.ts';
import { UPLOAD_LIFE_SECONDS } from '../core/limits.ts';
import { R2Files } from './r2-files.ts';
import { R2Moderation } from './r2-moderation.ts';

const HOUR_MS = 3_600_000;
const freed: unknown[][] = [];
const hosted = new R2Moderation(env.FILES, async (...call) => void freed.push(call));
const files = new R2Files(
  env.FILES,
  'https://storage.example',
  unlimitedStorage,
  ({ address }) => `address.1.${address}`,
);
const store = (address: string, filename: string, lifeSeconds = UPLOAD_LIFE_SECONDS) =>
  files.store(new TextEncoder().encode('bytes'), {
    filename,
    contentType: 'text/plain',
    lifeSeconds,
    caller: { address },
  });

beforeEach(async () => {
  freed.length = 0;
  const { objects } = await env.FILES.list();
  if (objects.length > 0) await env.FILES.delete(objects.map(({ key }) => key));
});

describe('a stored file', () => {
  it('stores its maker in metadata that is never served', async () => {
    const { id } = await store('ann', 'a.txt');
    expect(await hosted.describe(id)).toMatchObject({
      id,
      filename: 'a.txt',
      size: 5,
      maker: 'address.1.ann',
      removed: null,
    });
    expect(JSON.stringify(await files.head(id))).not.toContain('ann');
  });

  it('loses its bytes, name and maker on removal, and releases its quota', async () => {
    const { id, url } = await store('ann', 'a.txt');
    expect(await hosted.withdraw(id, 'malware')).toBe(true);
    expect(freed).toEqual([[5, expect.any(Number), 'anonymous']]);
    expect(await hosted.describe(id)).toMatchObject({
      size: 1,
      filename: '',
      maker: null,
      removed: 'malware',
    });
    expect(await files.head(id)).toMatchObject({ removed: 'malware' });
    expect(await files.read(id)).toBeNull();
    await expect(files.open(url, 'fileUrl')).rejects.toMatchObject({ status: 400 });
  });

  it('cannot be removed if it does not exist', async () => {
    const { id } = await store('ann', 'a.txt');
    await files.remove([id]);
    expect(await hosted.withdraw(id, 'spam')).toBe(false);
    expect(await env.FILES.head(`files/${id}`)).toBeNull();
  });
});

describe('listing the newest files', () => {
  it('lists files of every lifetime, newest first, up to the given age', async () => {
    const stored = [];
    for (const life of [86_400, 2 * 86_400, UPLOAD_LIFE_SECONDS, 8 * 86_400]) {
      stored.push((await store('ann', `${life}.txt`, life)).id);
    }
    const found = await hosted.newest(HOUR_MS, 9);
    expect(found.map(({ id }) => id).sort()).toEqual(stored.sort());
    expect(await hosted.newest(HOUR_MS, 2)).toHaveLength(2);
    const later = new R2Moderation(
      env.FILES,
      async () => {},
      () => Date.now() + 2 * HOUR_MS,
    );
    expect(await later.newest(HOUR_MS, 9)).toEqual([]);
  });

  it('filters by maker', async () => {
    const { id } = await store('ann', 'a.txt');
    await store('bob', 'b.txt');
    expect((await hosted.madeBy(['address.1.ann'], 9)).map((file) => file.id)).toEqual([id]);
  });
});
