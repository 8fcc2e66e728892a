/** Runs a parser on inputs in a separate process, and reports exceeded limits and unexpected errors. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Measured, Task } from './parser-process.ts';
import { cpuSecondsOf } from './process-tree.ts';

/**
 * The CPU milliseconds that are allowed for any input, in addition to CPU_PER_KB. A linear parser needs only a tenth of
 * the total.
 */
const MIN_CPU = 250;
const CPU_PER_KB = 4;
/** A parser that uses this many CPU seconds is considered to hang. */
const HANG_SECONDS = 4;
/** The length of the result as JSON that is allowed for any input, in characters. */
const MIN_RESULT = 64 * 1024;
const LOOK_AGAIN_MS = 100;
/** The number of measurements that must exceed the limit. The first one includes the compilation of the parser. */
const TRIES = 3;
/** A measurement that exceeds the limit by this factor is not repeated. */
const CLEAR_EXCESS = 4;
const PROCESS = fileURLToPath(new URL('./parser-process.ts', import.meta.url));

export class ParserRunner implements AsyncDisposable {
  #child: ChildProcess | undefined;

  /** Returns a description of the parser's problem with this input, or null if it handles the input correctly. */
  async check(target: string, text: string): Promise<string | null> {
    const budget = MIN_CPU + (CPU_PER_KB * text.length) / 1024;
    for (let tried = 1; ; tried += 1) {
      const measured = await this.#run({ target, text });
      if (typeof measured === 'string') return measured;
      const { cpuMilliseconds, resultBytes, growth, escaped } = measured;
      if (escaped !== null) return `throws ${escaped}`;
      if (resultBytes > MIN_RESULT + growth * text.length)
        return `makes a result of ${resultBytes} characters from ${text.length}`;
      if (cpuMilliseconds <= budget) return null;
      // A single attempt may include garbage collection for earlier inputs, so a small excess must occur every time.
      if (tried === TRIES || cpuMilliseconds > CLEAR_EXCESS * budget)
        return `takes ${Math.round(cpuMilliseconds)} ms of CPU for ${text.length} characters; the limit is ${Math.round(budget)}`;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop();
  }

  async #run(task: Task): Promise<Measured | string> {
    const child = this.#child ?? (await this.#start());
    const before = cpuSecondsOf(child.pid!);
    const looking = setInterval(() => {
      if (cpuSecondsOf(child.pid!) - before > HANG_SECONDS) child.kill('SIGKILL');
    }, LOOK_AGAIN_MS);
    const over = new AbortController();
    const { signal } = over;
    try {
      const answered = once(child, 'message', { signal }).then(
        ([measured]) => measured as Measured,
      );
      const ended = once(child, 'exit', { signal }).then(([, killedBy]) =>
        killedBy === 'SIGKILL'
          ? `takes more than ${HANG_SECONDS} s of CPU`
          : 'ends the process, probably because it ran out of memory',
      );
      child.send(task);
      const result = await Promise.race([answered, ended]);
      if (typeof result === 'string') this.#child = undefined;
      for (const promise of [answered, ended]) promise.catch(() => {});
      return result;
    } finally {
      clearInterval(looking);
      over.abort();
    }
  }

  async #start(): Promise<ChildProcess> {
    const execArgv = ['--max-old-space-size=300', '--js-base-64', '--no-warnings'];
    const child = fork(PROCESS, { execArgv, serialization: 'advanced' });
    await once(child, 'message');
    this.#child = child;
    return child;
  }

  async #stop(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
}
