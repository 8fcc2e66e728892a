/** A process of a pool for tests: its one task is to wait for qpdf, for half a second. */
import { runProgram, shareGroup } from '../run-program.ts';
import { serveTasks } from './serve-tasks.ts';

export interface TestTasks {
  wait: { given: null; result: number };
}

const signal = new AbortController().signal;

shareGroup();
serveTasks<TestTasks>({
  wait: async () => (await runProgram('qpdf', ['--empty'], { signal, timeLimitMs: 500 })).exitCode,
});
