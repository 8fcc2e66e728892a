/** Runs tasks in processes that can be killed, and keeps some idle processes for future tasks. */

import type { ChildProcess } from 'node:child_process';
import { CORES } from '../cores.ts';
import { killGroup, spawnLimited } from '../run-program.ts';
import { WorkLimit } from '../work-limit.ts';
import { WorkQueue } from '../work-queue.ts';
import { compileCache } from './compile-cache.ts';
import { type ProcessKind, RunningTask } from './running-task.ts';
import type { TaskMessage, Tasks } from './task.ts';

/** The maximum idle time of a process in milliseconds. Starting a process takes about 0.2 s. */
const IDLE_MS = 15_000;
/** The number of tasks after which a process is replaced, to free memory that V8 and libraries retain. */
const MAX_TASKS = 50;
const LARGE_WAITING_LIMIT = 8;

interface Waiting {
  child: ChildProcess;
  tasks: number;
  /** The process's CPU seconds that have already been charged to callers. */
  charged: number;
  timer: NodeJS.Timeout;
}

export class ProcessPool<All extends Tasks<All>> {
  private readonly kind: ProcessKind;
  private readonly idle: Waiting[] = [];
  private readonly largeTasks = new WorkQueue(1, LARGE_WAITING_LIMIT);

  constructor(kind: ProcessKind) {
    this.kind = kind;
  }

  /** Starts a process before it is needed, for example while files arrive. */
  warm(): void {
    if (this.idle.length === 0) this.keep(this.start(), 0, 0);
  }

  /**
   * Runs a task in a process. Throws the task's error, ToolError 422 if the process crashes or times out, ToolError 503
   * if too many large tasks are waiting, or the signal's reason if the task is aborted. If the process is killed, the
   * error is thrown only after it has exited.
   */
  async run<Name extends keyof All>(
    name: Name,
    given: All[Name]['given'],
    signal: AbortSignal,
    limit = new WorkLimit(0),
    progress?: (fraction: number) => void,
  ): Promise<All[Name]['result']> {
    signal.throwIfAborted();
    const waited = this.idle.length > 0;
    const { child, tasks, charged } = this.take();
    const task = new RunningTask<All[Name]['result']>(child, charged, {
      kind: this.kind,
      largeTasks: this.largeTasks,
      limit,
      signal,
      progress,
    });
    const outcome = await task.run({ name, given } satisfies TaskMessage<All, Name>);
    if (outcome.isHealthy) this.release(child, tasks + 1, outcome.cpuSeconds);
    if ('result' in outcome) return outcome.result;
    // If an idle process died before it received the task, the task is not the cause and runs in another process.
    if (outcome.diedUnused && waited) return this.run(name, given, signal, limit, progress);
    throw outcome.error;
  }

  private start(): ChildProcess {
    const child = spawnLimited(
      [process.execPath, '--disable-warning=ExperimentalWarning', this.kind.program],
      [`--data=${this.kind.memoryBytes}`],
      {
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        // Our environment contains secrets, so the process does not inherit it.
        env: { PATH: process.env.PATH, HOME: '/nonexistent', LC_ALL: 'C.UTF-8', ...compileCache() },
      },
    );
    // A process that cannot be started is treated as one that has exited.
    child.on('error', () => child.emit('exit', null, null));
    return child;
  }

  private keep(child: ChildProcess, tasks: number, charged: number): void {
    const forget = () => {
      clearTimeout(waiting.timer);
      const at = this.idle.indexOf(waiting);
      if (at >= 0) this.idle.splice(at, 1);
    };
    const end = () => {
      forget();
      killGroup(child);
    };
    const waiting: Waiting = { child, tasks, charged, timer: setTimeout(end, IDLE_MS).unref() };
    this.idle.push(waiting);
    child.once('exit', forget);
  }

  /** Returns an idle process, or starts one. */
  private take(): Omit<Waiting, 'timer'> {
    const waiting = this.idle.pop();
    if (!waiting) return { child: this.start(), tasks: 0, charged: 0 };
    clearTimeout(waiting.timer);
    waiting.child.removeAllListeners('exit');
    return waiting;
  }

  /** Keeps a process for another task, or kills it. */
  private release(child: ChildProcess, tasks: number, charged: number): void {
    const capacity = this.idle.length < CORES;
    if (capacity && tasks < MAX_TASKS && child.connected) this.keep(child, tasks, charged);
    else killGroup(child);
  }
}
