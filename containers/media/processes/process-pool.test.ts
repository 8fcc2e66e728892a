/** What is left of a process and its programs when one of them takes too long. */
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { removeFolder, sleepers, slowPath, until } from '../test-server.ts';
import { ProcessPool } from './process-pool.ts';
import type { TestTasks } from './test-process.ts';

afterAll(() => {
  vi.unstubAllEnvs();
  removeFolder();
});

const pool = new ProcessPool<TestTasks>({
  program: join(import.meta.dirname, 'test-process.ts'),
  memoryBytes: 2 ** 31,
  timeLimitMs: 20_000,
  subject: 'The test',
});
const signal = new AbortController().signal;

describe('a program of a process that takes too long', () => {
  it('is a failure of the task with its limit, and ends with all that it started', async () => {
    vi.stubEnv('PATH', slowPath());
    const started = performance.now();
    const task = pool.run('wait', null, signal);
    task.catch(() => undefined);
    expect(await until(() => sleepers().length > 0, 5000)).toBe(true);
    await expect(task).rejects.toMatchObject({
      status: 422,
      message: 'qpdf did not finish within its limit of 0.5 seconds.',
    });
    expect(sleepers()).toEqual([]);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
