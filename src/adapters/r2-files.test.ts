import { env } from 'cloudflare:workers';
import { Buffer } from 'node:buffer';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { unlimitedStorage } from '../../test/support/unlimited-storage.ts';
import { CountedStorage } from '../access/storage-budget.ts';
import { memoryFile } from '../core/input-file.ts';
import { UPLOAD_LIFE_SECONDS } from '../core/limits.ts';
import type { Ledger } from '../core/stored-bytes.ts';
import { fileExpiry, newFileId } from '../lib/file-id.ts';
import { R2Files } from './r2-files.ts';
import { PART_BYTES } from './r2-spool.ts';

const bucket = env.FILES;
const files = new R2Files(bucket, 'https://storage.example', unlimitedStorage);
const caller = { address: '192.0.2.1' };
const spooling = files.spoolsOf(caller);
const OPTIONS = { filename: 'a ü.txt', contentType: 'text/plain', lifeSeconds: 3600, caller };
const UPLOAD = { filename: 'a.zip', contentType: 'application/zip' };
const bytesOf = (text: string) => new TextEncoder().encode(text);
const keys = async () => (await bucket.list()).objects.map(({ key }) => key);

/** Returns test bytes. The value of a byte depends on its offset. */
const pattern = (size: number, seed = 1) =>
  new Uint8Array(size).map((_, index) => (index * 31 + (index >> 8) * 17 + seed) & 255);

const same = (first: Uint8Array, second: Uint8Array): boolean =>
  Buffer.compare(first, second) === 0;

async function read(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

beforeEach(async () => {
  const present = await keys();
  if (present.length > 0) await bucket.delete(present);
});
afterEach(() => vi.useRealTimers());

describe('a stored file', () => {
  it('is deleted in one R2 call without a total, and otherwise lowers the total', async () => {
    const calls: string[] = [];
    const counting = {
      put: (...given: Parameters<R2Bucket['put']>) => bucket.put(...given),
      head: (name: string) => {
        calls.push('head');
        return bucket.head(name);
      },
      delete: (names: string[]) => {
        calls.push('delete');
        return bucket.delete(names);
      },
    } as unknown as R2Bucket;
    let total = 0;
    const ledger: Ledger = {
      take: async (bytes) => {
        total += bytes;
        return 'taken';
      },
      release: async (bytes) => {
        total -= bytes;
      },
    };
    for (const [budget, expected] of [
      [unlimitedStorage, ['delete']],
      [new CountedStorage(null, () => ledger), ['head', 'delete']],
    ] as const) {
      calls.length = 0;
      const stored = new R2Files(counting, 'https://storage.example', budget);
      const { id } = await stored.store(bytesOf('hello'), OPTIONS);
      expect(total).toBe(budget.countsTotal ? 5 : 0);
      await stored.remove([id]);
      expect([calls, total, await keys()]).toEqual([expected, 0, []]);
    }
  });

  it('has a link with its name and an ID of at least 128 random bits', async () => {
    const stored = await files.store(bytesOf('hello'), OPTIONS);
    expect(stored.id).toMatch(/^[\da-z]{6}[\dA-Za-z]{22}$/);
    expect(stored.url).toBe(`https://storage.example/files/${stored.id}/a%20%C3%BC.txt`);
    expect(stored).toMatchObject({ filename: 'a ü.txt', contentType: 'text/plain', size: 5 });
    const ids = await Promise.all([1, 2, 3].map(() => files.store(bytesOf('x'), OPTIONS)));
    expect(new Set(ids.map(({ id }) => id.slice(6))).size).toBe(3);
  });

  it('can be read through its link as bytes and as a stream, repeatedly', async () => {
    const { url } = await files.store(bytesOf('hello'), OPTIONS);
    const file = await files.open(url, 'fileUrl');
    expect(file).toMatchObject({ name: 'a ü.txt', size: 5, declaredType: 'text/plain' });
    expect(new TextDecoder().decode(file.head)).toBe('hello');
    expect(new TextDecoder().decode(await file.bytes())).toBe('hello');
    for (let time = 0; time < 2; time += 1) {
      expect(new TextDecoder().decode(await read(await file.stream()))).toBe('hello');
    }
  });

  it('can be created from a stream of known size', async () => {
    const bytes = pattern(300_000);
    const { url } = await files.store(
      { stream: new Blob([bytes]).stream(), size: 300_000 },
      OPTIONS,
    );
    const file = await files.open(url, 'fileUrl');
    expect(file.head.length).toBe(64 * 1024);
    expect(same(await file.bytes(), bytes)).toBe(true);
  });

  it('is rejected by parameter name when the link is foreign, unknown or expired', async () => {
    const { url, id } = await files.store(bytesOf('hello'), OPTIONS);
    for (const link of [
      'https://other.example/files/x',
      url.replace(id, newFileId(Date.now() + 1e6)),
    ]) {
      await expect(files.open(link, 'fileUrl')).rejects.toMatchObject({
        status: 400,
        param: 'fileUrl',
      });
    }
    vi.useFakeTimers({ now: fileExpiry(id)!, toFake: ['Date'] });
    await expect(files.open(url, 'fileUrls')).rejects.toMatchObject({
      status: 400,
      param: 'fileUrls',
    });
    expect(await files.read(id)).toBeNull();
    expect(await files.head(id)).toBeNull();
  });

  it('is stored for its lifetime and at most a minute longer', async () => {
    const before = Date.now();
    const { id } = await files.store(bytesOf('x'), { ...OPTIONS, lifeSeconds: 86_400 });
    expect(fileExpiry(id)! - before).toBeGreaterThanOrEqual(86_400_000);
    expect(fileExpiry(id)! - before).toBeLessThanOrEqual(86_400_000 + 61_000);
  });
});

describe('an upload', () => {
  async function spool(bytes: Uint8Array, atMost: number | undefined, step = 70_001) {
    const upload = spooling.spool(UPLOAD, atMost);
    for (let at = 0; at < bytes.length; at += step) await upload.write(bytes.slice(at, at + step));
    return upload.finish('a.zip', 'application/zip');
  }

  it('returns the same bytes for every size and every known length', async () => {
    for (const size of [
      1,
      65_535,
      65_537,
      PART_BYTES - 1,
      PART_BYTES,
      PART_BYTES + 1,
      2 * PART_BYTES,
      11_111_111,
    ]) {
      const bytes = pattern(size);
      const known = [undefined, size, size + 200, size + PART_BYTES, 60 * 2 ** 20];
      // For files with several parts, the last two limits make no difference, so they are skipped.
      for (const atMost of known.slice(0, size > PART_BYTES + 1 ? 3 : 5)) {
        const file = await spool(bytes, atMost);
        expect(file.size).toBe(size);
        expect(same(file.head, bytes.subarray(0, 65_536))).toBe(true);
        expect(same(await read(await file.stream()), bytes), `${size} of ${atMost}`).toBe(true);
        await spooling.discard(file);
      }
    }
    expect(await keys()).toEqual([]);
  });

  it('is stored without copying if it needed no padding', async () => {
    const file = await spool(pattern(6_000_000), 6_000_100);
    const saved = await files.keep(file, { ...UPLOAD, lifeSeconds: UPLOAD_LIFE_SECONDS, caller });
    await spooling.discard(file);
    expect(await keys()).toEqual([`files/${saved.id}`]);
    expect((await files.head(saved.id))?.size).toBe(6_000_000);
  });

  it('is copied to its exact size if it was padded', async () => {
    const bytes = pattern(6_000_000);
    const file = await spool(bytes, 40_000_000);
    expect(file.spool.exact).toBe(false);
    const saved = await files.keep(file, { ...UPLOAD, lifeSeconds: UPLOAD_LIFE_SECONDS, caller });
    await spooling.discard(file);
    expect(await keys()).toEqual([`files/${saved.id}`]);
    expect((await files.head(saved.id))?.size).toBe(6_000_000);
    expect(same(await (await files.open(saved.url, 'fileUrl')).bytes(), bytes)).toBe(true);
  });

  it('is copied when its name, type or lifetime differs', async () => {
    for (const options of [
      { ...UPLOAD, caller, lifeSeconds: 3600 },
      { ...UPLOAD, caller, filename: 'b.zip', lifeSeconds: UPLOAD_LIFE_SECONDS },
      {
        ...UPLOAD,
        caller,
        contentType: 'application/epub+zip',
        lifeSeconds: UPLOAD_LIFE_SECONDS,
      },
    ]) {
      const file = await spool(pattern(100_000), 100_000);
      const saved = await files.keep(file, options);
      await spooling.discard(file);
      const object = await files.head(saved.id);
      expect(object?.contentType).toBe(options.contentType);
      expect(object?.filename).toBe(options.filename);
    }
  });

  it('leaves nothing behind if it is aborted at any point', async () => {
    for (const [size, atMost] of [
      [0, 100],
      [100_000, undefined],
      [100_000, 20_000_000],
      [6_000_000, 20_000_000],
      [6_000_000, undefined],
    ] as const) {
      const upload = spooling.spool(UPLOAD, atMost);
      if (size > 0) await upload.write(pattern(size));
      await upload.abort();
    }
    expect(await keys()).toEqual([]);
  });

  it('can store a file that is in memory', async () => {
    const saved = await files.keep(memoryFile('a.txt', bytesOf('hello')), OPTIONS);
    expect(new TextDecoder().decode(await (await files.open(saved.url, 'fileUrl')).bytes())).toBe(
      'hello',
    );
  });
});

describe('the file clean-up', () => {
  const NOW = Date.UTC(2026, 10, 21, 12, 0, 0);
  const put = async (key: string) => void (await bucket.put(key, 'x'));

  it('deletes only expired files', async () => {
    const expired = [-8 * 86_400, -3600, -60].map(
      (seconds) => `files/${newFileId(NOW + seconds * 1000)}`,
    );
    const alive = [60, 3600, 7 * 86_400].map(
      (seconds) => `files/${newFileId(NOW + seconds * 1000)}`,
    );
    const others = ['cache/000000', 'files', 'filesystem/a', 'zzz'];
    for (const key of [...expired, ...alive, ...others]) await put(key);
    expect(await files.cleanUp(NOW)).toBe(3);
    expect(await keys()).toEqual([...alive, ...others].sort());
    expect(await files.cleanUp(NOW)).toBe(0);
  });

  it('never deletes a file whose link still works', async () => {
    const stored = await files.store(bytesOf('x'), { ...OPTIONS, lifeSeconds: 60 });
    const end = fileExpiry(stored.id)!;
    await files.cleanUp(end - 1);
    expect(await files.head(stored.id)).not.toBeNull();
    await files.cleanUp(end + 60_000);
    expect(await bucket.head(`files/${stored.id}`)).toBeNull();
  });

  it('continues beyond one page of a listing', async () => {
    const ids = Array.from({ length: 1010 }, () => `files/${newFileId(NOW - 3600_000)}`);
    await Promise.all(ids.map(put));
    await put(`files/${newFileId(NOW + 3600_000)}`);
    expect(await files.cleanUp(NOW)).toBe(1010);
    expect((await keys()).length).toBe(1);
  });

  it('stops at the maximum number of deletions', async () => {
    for (let index = 0; index < 3; index += 1) await put(`files/${newFileId(NOW - 3600_000)}`);
    await files.cleanUp(NOW, 0);
    expect((await keys()).length).toBe(3);
  });
});
