/**
 * Implements a pool process for tests. Its tasks return the process ID, return the compile cache folder, fail, kill the
 * process, or run qpdf for up to two seconds.
 */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { failed } from '../../../src/core/errors.ts';
import { runProgram, shareGroup } from '../run-program.ts';
import { serveTasks } from './serve-tasks.ts';

export interface TestTasks {
  number: { given: null; result: number };
  cache: { given: null; result: string };
  find: { given: null; result: never };
  /** Creates a folder in the given one, and then crashes. */
  crash: { given: string; result: never };
  wait: { given: null; result: number };
}

const signal = new AbortController().signal;

shareGroup();
serveTasks<TestTasks>({
  number: async () => process.pid,
  cache: async () => process.env.NODE_COMPILE_CACHE ?? 'none',
  find: async () => {
    throw failed('There is no text.');
  },
  crash: async (folder) => {
    mkdtempSync(join(folder, 'crashed-'));
    process.kill(process.pid, 'SIGKILL');
    throw failed('The process is still running.');
  },
  wait: async () => (await runProgram('qpdf', ['--empty'], { signal, timeLimitMs: 2000 })).exitCode,
});
