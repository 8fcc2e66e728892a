import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { applyMigrations } from '../../test/support/apply-migrations.ts';
import { DiskSpace } from './disk-space.ts';
import { guardedDatabase } from './guarded-database.ts';

beforeEach(() => applyMigrations(env));

const LOCKED = new Error('D1_ERROR: database is locked: SQLITE_BUSY');

/** Returns a database on which this many calls fail, as if another process had locked it. */
function lockedFor(calls: number) {
  const batch = vi.fn(env.LINKS.batch.bind(env.LINKS));
  for (let call = 0; call < calls; call += 1) batch.mockRejectedValueOnce(LOCKED);
  const run = vi.fn(async () => 'written');
  for (let call = 0; call < calls; call += 1) run.mockRejectedValueOnce(LOCKED);
  const prepare = () => ({ bind: () => ({ run }) });
  const database = { batch, prepare } as unknown as D1Database;
  return { database: guardedDatabase(database, new DiskSpace(undefined)), run, batch };
}

describe('the guarded database while another process holds the lock', () => {
  it('writes once the lock is released', async () => {
    const { database, run, batch } = lockedFor(2);
    expect(await database.prepare('UPDATE a SET b = 1').bind().run()).toBe('written');
    expect(run).toHaveBeenCalledTimes(3);
    await database.batch([]).catch(() => {});
    expect(batch).toHaveBeenCalledTimes(3);
  });

  it('returns 503 if the lock is never released', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { database } = lockedFor(20);
    const written = database.prepare('UPDATE a SET b = 1').bind().run();
    await expect(written).rejects.toMatchObject({ status: 503, retryAfter: 5 });
  });

  it('does not retry after any other error', async () => {
    const { database, run } = lockedFor(0);
    run.mockRejectedValueOnce(new Error('D1_ERROR: UNIQUE constraint failed: SQLITE_CONSTRAINT'));
    const written = database.prepare('UPDATE a SET b = 1').bind().run();
    await expect(written).rejects.toThrow('SQLITE_CONSTRAINT');
    expect(run).toHaveBeenCalledTimes(1);
  });
});
