/** Runs one task in a process, with limits on time and CPU time. Handles the task's replies and ends the task. */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { failed, ToolError } from '../../../src/core/errors.ts';
import { cpuTimeOf, cpuTimeOfGroup } from '../cpu-time.ts';
import { chargeCpu, currentCall } from '../current-call.ts';
import { killGroup } from '../run-program.ts';
import type { WorkCeiling, WorkLimit } from '../work-limit.ts';
import type { Ticket, WorkQueue } from '../work-queue.ts';
import { GO, type TaskReply } from './task.ts';

const GROUP_ENDS_MS = 300;
const GROUP_LOOK_MS = 5;
/** The interval in milliseconds at which a task's CPU time is checked. */
const CPU_LOOK_MS = 500;

export interface ProcessKind {
  /** The path of the program, which must call `serveTasks`. */
  program: string;
  /**
   * The limit on writable mapped memory, in bytes. A limit on the address space would stop V8, which reserves much more
   * than it uses.
   */
  memoryBytes: number;
  /** The upper bounds of a task's CPU time and wall time, regardless of the input's size. */
  ceiling: WorkCeiling;
  /** The limits on a task's total CPU time and wall time, as a multiple of those for one program. The default is 1. */
  programs?: number;
  /** The subject of messages about a task that crashes or times out, such as `The image`. */
  subject: string;
}

interface Conditions {
  kind: ProcessKind;
  /** The queue in which large tasks wait. They run one at a time. */
  largeTasks: WorkQueue;
  limit: WorkLimit;
  signal: AbortSignal;
  /** Receives the progress, from 0 to 1, that the task reports. */
  progress: ((fraction: number) => void) | undefined;
}

type Ending<Result> =
  | { result: Result }
  | {
      error: unknown;
      /** Whether the process died before it received the task. */
      diedUnused?: boolean;
    };

/** The result of a task. If the process is not healthy, it and its child processes have exited. */
export type FinishedTask<Result> = Ending<Result> & {
  isHealthy: boolean;
  /** The CPU seconds used by the process, including for earlier tasks. */
  cpuSeconds: number;
};

export class RunningTask<Result> {
  readonly #child: ChildProcess;
  readonly #conditions: Conditions;
  readonly #call = currentCall();
  /**
   * The CPU time at the start of the task. The caller is also charged for starting a new process. The CPU time of an
   * idle process is negligible.
   */
  readonly #before: ReturnType<typeof cpuTimeOf>;
  readonly #ended = new AbortController();
  readonly #outcome = Promise.withResolvers<FinishedTask<Result>>();
  #cpuSeconds: number;
  #bounds: { cpuSeconds: number; timeLimitMs: number };
  #isReceived = false;
  /** The name of the input, once the task has reported it. It is the subject of error messages. */
  #reading: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: NodeJS.Timeout | undefined;
  #ticket: Ticket | undefined;

  /** @param charged the process's CPU seconds that have already been charged to earlier tasks */
  constructor(child: ChildProcess, charged: number, conditions: Conditions) {
    this.#child = child;
    this.#cpuSeconds = charged;
    this.#conditions = conditions;
    this.#before = cpuTimeOf(child.pid ?? 0);
    this.#bounds = this.#boundsNow();
  }

  /** Sends the task to the process. The promise never rejects. */
  run(message: object): Promise<FinishedTask<Result>> {
    this.#startTimer();
    this.#looking = setInterval(() => this.#look(), CPU_LOOK_MS);
    this.#conditions.signal.addEventListener('abort', this.#onAbort, { once: true });
    this.#child.once('exit', this.#onExit);
    this.#child.on('message', (reply: TaskReply) => this.#onReply(reply));
    this.#child.send(message, (error) => {
      if (error) this.#onExit();
    });
    return this.#outcome.promise;
  }

  #onReply(reply: TaskReply): void {
    if ('received' in reply) this.#isReceived = true;
    else if ('reading' in reply) this.#reading = reply.reading;
    else if ('progress' in reply) this.#conditions.progress?.(reply.progress);
    else if ('large' in reply) void this.#waitForSlot();
    else if ('allow' in reply) this.#allow(reply.allow);
    else if ('result' in reply) this.#finish({ result: reply.result as Result }, !reply.spent);
    else if ('error' in reply) {
      const { code, message, details } = reply.error;
      this.#finish({ error: new ToolError(code, message, details) }, !reply.spent);
    } else this.#finish({ error: new Error(reply.defect) }, !reply.spent);
  }

  /** Waits until no other large task is running, and then restarts the time limit. */
  async #waitForSlot(): Promise<void> {
    clearTimeout(this.#timer);
    const waiting = AbortSignal.any([this.#conditions.signal, this.#ended.signal]);
    try {
      this.#ticket = this.#conditions.largeTasks.enter(this.#call?.caller);
      await this.#ticket.acquire(waiting);
    } catch (error) {
      if (!waiting.aborted) this.#finish({ error }, false);
      return;
    }
    this.#startTimer();
    this.#child.send(GO);
  }

  #allow(seconds: number): void {
    this.#conditions.limit.allow(seconds);
    this.#bounds = this.#boundsNow();
    this.#startTimer();
  }

  #boundsNow() {
    const { limit, kind } = this.#conditions;
    const { ceiling, programs = 1 } = kind;
    const { cpuSeconds, timeLimitMs } = limit.within(ceiling);
    return { cpuSeconds, timeLimitMs: Math.min(ceiling.seconds * 1000, timeLimitMs * programs) };
  }

  #startTimer(): void {
    clearTimeout(this.#timer);
    const { timeLimitMs } = this.#bounds;
    this.#timer = setTimeout(() => this.#exceed(`${timeLimitMs / 1000} seconds`), timeLimitMs);
  }

  /** Charges the CPU time used since the last check. Ends the task if it has exceeded its limit. */
  #look(): void {
    const now = cpuTimeOf(this.#child.pid ?? 0);
    if (!now) return;
    this.#charge(now.own + now.children);
    const own = now.own - (this.#before?.own ?? 0);
    const all = own + now.children - (this.#before?.children ?? 0);
    const { cpuSeconds } = this.#bounds;
    const { programs = 1 } = this.#conditions.kind;
    if (own > cpuSeconds || all > cpuSeconds * programs) this.#exceed(`${cpuSeconds} CPU seconds`);
  }

  #charge(total: number): void {
    chargeCpu(this.#call, Math.max(0, total - this.#cpuSeconds));
    this.#cpuSeconds = Math.max(this.#cpuSeconds, total);
  }

  #exceed(limit: string): void {
    const message = `${this.#subject} exceeded the time limit of ${limit}. Send a simpler or smaller file.`;
    this.#finish({ error: failed(message) }, false);
  }

  readonly #onAbort = (): void => this.#finish({ error: this.#conditions.signal.reason }, false);

  readonly #onExit = (): void => {
    const message = `${this.#subject} exceeded the memory limit or crashed the decoder. Send a smaller file, or repair it.`;
    this.#finish({ error: failed(message), diedUnused: !this.#isReceived }, false);
  };

  get #subject(): string {
    return this.#reading ?? this.#conditions.kind.subject;
  }

  /** Ends the task. Only the first call has an effect. A process that is not healthy is killed. */
  #finish(ending: Ending<Result>, isHealthy: boolean): void {
    if (this.#ended.signal.aborted) return;
    const child = this.#child;
    clearTimeout(this.#timer);
    clearInterval(this.#looking);
    this.#charge(isHealthy ? this.#processTime() : cpuTimeOfGroup(child.pid ?? 0));
    this.#conditions.signal.removeEventListener('abort', this.#onAbort);
    this.#ended.abort();
    this.#ticket?.leave();
    child.removeAllListeners('message').removeAllListeners('exit');
    const settle = () =>
      this.#outcome.resolve({ ...ending, isHealthy, cpuSeconds: this.#cpuSeconds });
    if (isHealthy) settle();
    else whenKilled(child, settle);
  }

  #processTime(): number {
    const now = cpuTimeOf(this.#child.pid ?? 0);
    return now ? now.own + now.children : this.#cpuSeconds;
  }
}

/**
 * Kills a process and everything that it has started. Calls `act` when all of these processes have exited, or
 * GROUP_ENDS_MS after the process itself.
 */
function whenKilled(child: ChildProcess, act: () => void): void {
  const { pid } = child;
  if (pid === undefined) {
    act();
    return;
  }
  const hasEnded = () => groupHasEnded(pid).then(act);
  const isGone = child.exitCode !== null || child.signalCode !== null;
  if (!isGone) child.once('exit', hasEnded);
  killGroup(child);
  if (isGone) void hasEnded();
}

/**
 * Resolves when no process of this group is left, or after GROUP_ENDS_MS. Child processes exit slightly later than
 * their leader.
 */
async function groupHasEnded(leader: number): Promise<void> {
  const gaveUp = performance.now() + GROUP_ENDS_MS;
  while (performance.now() < gaveUp) {
    try {
      process.kill(-leader, 0);
    } catch {
      return;
    }
    await sleep(GROUP_LOOK_MS);
  }
}
