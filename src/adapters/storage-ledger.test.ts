import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { applyMigrations } from '../../test/support/apply-migrations.ts';
import { HOUR_MS } from '../core/calendar.ts';
import { ByteLedger } from './byte-ledger.ts';
import { DiskSpace } from './disk-space.ts';
import { guardedDatabase } from './guarded-database.ts';
import { StorageLedger } from './storage-ledger.ts';
import { withTimeLimit } from './storage-time.ts';

const NOW = Date.UTC(2026, 10, 22, 10, 20);

/** Returns a fake disk binding that reports this state. */
const diskOf = (state: { free: number; total: number }) =>
  ({ fetch: async () => Response.json(state) }) as unknown as Fetcher;

describe('the storage ledger', () => {
  it('counts bytes by kind of caller until the clean-up after their expiry', () => {
    const ledger = new ByteLedger();
    ledger.add(5, NOW + HOUR_MS, 'anonymous');
    ledger.add(7, NOW + 3 * HOUR_MS, 'known');
    expect(ledger.stored(NOW)).toEqual({ anonymous: 5, known: 7 });
    expect(ledger.stored(NOW + HOUR_MS + 14 * 60_000)).toEqual({ anonymous: 5, known: 7 });
    expect(ledger.stored(NOW + 2 * HOUR_MS + 15 * 60_000)).toEqual({ anonymous: 0, known: 7 });
    expect(new ByteLedger(ledger.save()).stored(NOW)).toEqual({ anonymous: 0, known: 7 });
  });

  it('never counts below zero', () => {
    const ledger = new ByteLedger();
    ledger.add(5, NOW, 'known');
    ledger.add(-9, NOW, 'known');
    expect(ledger.stored(NOW).known).toBe(0);
  });

  /** Creates the Durable Object with these bindings instead of the test's bindings. */
  const withObject = <T>(
    name: string,
    bindings: { MAX_STORAGE?: string; DISK?: Fetcher },
    work: (ledger: StorageLedger) => Promise<T>,
  ) =>
    runInDurableObject(env.LEDGER.getByName(name), (_, context) =>
      work(new StorageLedger(context, { ...env, ...bindings })),
    );

  it('reserves half for callers with an account, also under concurrent calls', async () => {
    await withObject('half', { MAX_STORAGE: '1000' }, async (ledger) => {
      const end = Date.now() + HOUR_MS;
      const taken = Array.from({ length: 8 }, () => ledger.take(100, end, 'anonymous'));
      const answers = await Promise.all(taken);
      expect(answers.filter((answer) => answer === 'taken')).toHaveLength(5);
      expect(answers.filter((answer) => answer === 'anonymous-full')).toHaveLength(3);
      expect(await ledger.take(500, end, 'known')).toBe('taken');
      expect(await ledger.take(1, end, 'known')).toBe('full');
      ledger.release(100, end, 'anonymous');
      expect(await ledger.take(100, end, 'anonymous')).toBe('taken');
    });
  });

  it('keeps a minimum of free disk space, counting reserved bytes', async () => {
    const DISK = diskOf({ free: 100_000, total: 1_000_000 });
    await withObject('floor', { MAX_STORAGE: '1 GB', DISK }, async (ledger) => {
      const end = Date.now() + HOUR_MS;
      expect(await ledger.take(50_001, end, 'known')).toBe('disk-full');
      expect(await ledger.take(30_000, end, 'known')).toBe('taken');
      expect(await ledger.take(30_000, end, 'known')).toBe('disk-full');
    });
  });

  it('saves its state within a second and survives the loss of its isolate', async () => {
    const object = env.LEDGER.getByName('dies');
    const end = Date.now() + HOUR_MS;
    await object.take(123, end, 'known');
    const saved = () =>
      runInDurableObject(object, (_, { storage }) => JSON.stringify(storage.kv.get('ledger')));
    await expect.poll(saved).toContain('123');
    await evictDurableObject(object);
    await object.take(1, end, 'known');
    await expect.poll(saved).toContain('124');
  });
});

describe('a full disk', () => {
  beforeAll(() => applyMigrations(env));
  const full = new DiskSpace(diskOf({ free: 10, total: 1000 }));

  it('allows reading rows and refuses writing with 503', async () => {
    const database = guardedDatabase(env.LINKS, full);
    await expect(database.prepare('SELECT 1 AS one').first('one')).resolves.toBe(1);
    const insert = database.prepare(
      'INSERT INTO short_links (code, url, created_at) VALUES (?, ?, 1)',
    );
    const refused = { status: 503, retryAfter: expect.any(Number) };
    await expect(insert.bind('a', 'b').run()).rejects.toMatchObject(refused);
    const hidden = database.prepare(
      "WITH one AS (SELECT 'a') INSERT INTO short_links (code, url, created_at) SELECT *, 'b', 1 FROM one",
    );
    await expect(hidden.run()).rejects.toMatchObject(refused);
    await expect(database.batch([insert.bind('a', 'b')])).rejects.toMatchObject(refused);
  });

  it('allows writing again once there is space', async () => {
    const roomy = guardedDatabase(env.LINKS, new DiskSpace(diskOf({ free: 900, total: 1000 })));
    const insert = roomy.prepare(
      'INSERT INTO short_links (code, url, created_at) VALUES (?, ?, 1)',
    );
    await roomy.batch([insert.bind('ledger-a', 'b'), insert.bind('ledger-b', 'b')]);
    expect((await insert.bind('ledger-c', 'b').run()).meta.changes).toBe(1);
  });

  it('turns unexplained storage errors into 503', async () => {
    expect(await full.explain(new Error('disk I/O error'))).toMatchObject({ status: 503 });
    const other = new Error('a defect');
    expect(await new DiskSpace(undefined).explain(other)).toBe(other);
  });

  it('ends a write that would never finish when the storage fails', async () => {
    const never = new Promise<void>(() => {});
    const put = Promise.reject(new Error('no space left'));
    await expect(withTimeLimit(never, put)).rejects.toThrow('no space left');
  });
});
