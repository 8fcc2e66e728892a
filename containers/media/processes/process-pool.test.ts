/** Tests that a timeout terminates a process and all its programs. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { nobody } from '../../../test/support/this-machine.ts';
import { emptyFolder, folder, sleepers, slowPath, slowStarted } from '../test-server.ts';
import { ProcessPool } from './process-pool.ts';
import type { ProcessKind } from './running-task.ts';
import type { TestTasks } from './test-process.ts';

afterAll(() => {
  vi.unstubAllEnvs();
  emptyFolder();
});

const KIND: ProcessKind = {
  program: join(import.meta.dirname, 'test-process.ts'),
  memoryBytes: 2 ** 31,
  ceiling: { seconds: 20 },
  subject: 'The test',
};
const pool = new ProcessPool<TestTasks>(KIND);
const signal = new AbortController().signal;

/** Returns the cache path that a pool process receives if its parent does not run as root. */
function cacheTold(cache: string, uid = nobody, first = ''): string {
  const probe = `
    const { ProcessPool } = await import(${JSON.stringify(join(import.meta.dirname, 'process-pool.ts'))});
    ${first}
    const pool = new ProcessPool(${JSON.stringify(KIND)});
    console.log(await pool.run('cache', null, new AbortController().signal));
    process.exit();`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', probe], {
    env: { ...process.env, NODE_COMPILE_CACHE: cache },
    uid,
    encoding: 'utf8',
  }).trim();
}

describe('a pooled process', () => {
  it('gets the path of Node’s compile cache only if it cannot write there', () => {
    chmodSync(folder, 0o755);
    const cache = join(folder, 'compiled');
    mkdirSync(cache);
    chmodSync(cache, 0o777);
    expect(cacheTold(cache)).toBe('none');
    const [used] = readdirSync(cache);
    chmodSync(cache, 0o555);
    expect(cacheTold(cache)).toBe('none');
    chmodSync(join(cache, used!), 0o555);
    // Removing the write permission is not enough, because the process owns the directory and could restore it.
    expect(cacheTold(cache)).toBe('none');
    if (nobody) {
      chownSync(join(cache, used!), 0, 0);
      expect(cacheTold(cache)).toBe(cache);
    }
    chmodSync(join(cache, used!), 0o755);
  });

  it.runIf(nobody)('works if its user cannot open the cache', () => {
    const closed = join(folder, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    const becomeNobody = `process.setgid(${nobody}); process.setuid(${nobody});`;
    expect(cacheTold(join(closed, 'compiled'), 0, becomeNobody)).toBe('none');
  });

  it('is kept after a task fails with 422, and replaced after a program times out', async () => {
    const first = await pool.run('number', null, signal);
    await expect(pool.run('find', null, signal)).rejects.toMatchObject({
      status: 422,
      message: 'There is no text.',
    });
    expect(await pool.run('number', null, signal)).toBe(first);

    vi.stubEnv('PATH', slowPath());
    const other = new ProcessPool<TestTasks>(KIND);
    const slow = await other.run('number', null, signal);
    await expect(other.run('wait', null, signal)).rejects.toMatchObject({ status: 422 });
    expect(await other.run('number', null, signal)).not.toBe(slow);
    expect(await pool.run('number', null, signal)).toBe(first);
  });

  it('that a task crashes is replaced, but the task does not run again', async () => {
    const running = [pool.run('number', null, signal), pool.run('number', null, signal)];
    await Promise.all(running);
    const given = mkdtempSync(join(folder, 'crashes-'));
    await expect(pool.run('crash', given, signal)).rejects.toMatchObject({ status: 422 });
    expect(readdirSync(given)).toHaveLength(1);
  });
});

describe('a program that times out in a process', () => {
  it('fails its task with the limit, and is stopped with its children', async () => {
    vi.stubEnv('PATH', slowPath());
    rmSync(slowStarted, { force: true });
    const task = new ProcessPool<TestTasks>(KIND).run('wait', null, signal);
    await expect(task).rejects.toMatchObject({
      status: 422,
      message: 'qpdf did not finish within its limit of 2 seconds. Send a simpler or smaller file.',
    });
    expect(existsSync(slowStarted)).toBe(true);
    expect(sleepers()).toEqual([]);
  });
});
