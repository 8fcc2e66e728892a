/** Runs tasks in processes that can be killed, and keeps some of them warm for the next task. */

import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { failed, ToolError } from '../../../src/core/errors.ts';
import { CORES } from '../cores.ts';
import { cpuTimeOf, cpuTimeOfGroup } from '../cpu-time.ts';
import { chargeCpu, currentCall } from '../current-call.ts';
import { killGroup, spawnLimited } from '../run-program.ts';
import { type WorkCeiling, WorkLimit } from '../work-limit.ts';
import { type Ticket, WorkQueue } from '../work-queue.ts';
import { compileCache } from './compile-cache.ts';
import { GO, type TaskMessage, type TaskReply, type Tasks } from './task.ts';

/** Starting takes about 0.2 s, so an idle process waits this long for the next task. */
const IDLE_MS = 15_000;
/** A new process frees the memory that V8 and libraries retain. */
const MAXIMUM_TASKS = 50;
const LARGE_WAITING_LIMIT = 8;
const GROUP_ENDS_MS = 300;
const GROUP_LOOK_MS = 5;
/** The interval between two readings of a task's CPU time. */
const CPU_LOOK_MS = 500;

export interface ProcessKind {
  /** The path of the program; it calls `serveTasks`. */
  program: string;
  /** The limit of writable mapped memory. An address-space limit would stop V8, which reserves far more. */
  memoryBytes: number;
  /** The limit of a task, however large its input is. */
  ceiling: WorkCeiling;
  /** How many times the limit of one program all programs of a task may take together. Default: 1. */
  programs?: number;
  /** The subject of error messages when a task crashes or times out: `The image`. */
  subject: string;
}

interface Waiting {
  child: ChildProcess;
  tasks: number;
  /** CPU seconds of the process so far, which were charged to the callers of its tasks. */
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
   * Runs a task in its own process. Throws a ToolError: the task's own error, or 422 if the process crashed or timed
   * out; the signal's reason if it was aborted. A killed process has ended by then.
   */
  async run<Name extends keyof All>(
    name: Name,
    given: All[Name]['given'],
    signal: AbortSignal,
    limit = new WorkLimit(0),
  ): Promise<All[Name]['result']> {
    signal.throwIfAborted();
    const waited = this.idle.length > 0;
    const { child, tasks, charged } = this.take();
    const call = currentCall();
    const { ceiling, programs = 1 } = this.kind;
    const boundsNow = () => {
      const { cpuSeconds, timeLimitMs } = limit.within(ceiling);
      return { cpuSeconds, timeLimitMs: Math.min(ceiling.seconds * 1000, timeLimitMs * programs) };
    };
    let bounds = boundsNow();
    // The caller pays for starting a new process. What an idle process uses is negligible.
    const before = cpuTimeOf(child.pid ?? 0);
    let used = charged;
    let reading: string | undefined;
    const ended = new AbortController();
    const waiting = AbortSignal.any([signal, ended.signal]);
    let ticket: Ticket | undefined;
    return new Promise((resolve, reject) => {
      const settle = (act: () => void, healthy: boolean) => {
        if (ended.signal.aborted) return;
        clearTimeout(timer);
        clearInterval(looking);
        charge(healthy ? processTime() : cpuTimeOfGroup(child.pid ?? 0));
        signal.removeEventListener('abort', onAbort);
        ended.abort();
        ticket?.leave();
        child.removeAllListeners('message').removeAllListeners('exit');
        if (healthy) {
          this.release(child, tasks + 1, used);
          act();
        } else whenKilled(child, act);
      };
      const subject = () => reading ?? this.kind.subject;
      const onAbort = () => settle(() => reject(signal.reason), false);
      const exceed = (limitName: string) => {
        const message = `${subject()} takes longer than the limit of ${limitName}. Send a simpler or smaller one.`;
        settle(() => reject(failed(message)), false);
      };
      const onTimeout = () => exceed(`${bounds.timeLimitMs / 1000} seconds`);
      let timer = setTimeout(onTimeout, bounds.timeLimitMs);
      const processTime = () => {
        const now = cpuTimeOf(child.pid ?? 0);
        return now ? now.own + now.children : used;
      };
      const charge = (total: number) => {
        chargeCpu(call, Math.max(0, total - used));
        used = Math.max(used, total);
      };
      const look = () => {
        const now = cpuTimeOf(child.pid ?? 0);
        if (!now) return;
        charge(now.own + now.children);
        const own = now.own - (before?.own ?? 0);
        const all = own + now.children - (before?.children ?? 0);
        const { cpuSeconds } = bounds;
        if (own > cpuSeconds || all > cpuSeconds * programs) {
          exceed(`${cpuSeconds} CPU seconds`);
        }
      };
      const looking = setInterval(look, CPU_LOOK_MS);
      const allow = (seconds: number) => {
        limit.allow(seconds);
        bounds = boundsNow();
        clearTimeout(timer);
        timer = setTimeout(onTimeout, bounds.timeLimitMs);
      };
      /** Its time limit starts again when it gets the slot for large tasks. */
      const admit = async () => {
        clearTimeout(timer);
        try {
          ticket = this.largeTasks.enter(call?.caller);
          await ticket.acquire(waiting);
        } catch (error) {
          if (!waiting.aborted) settle(() => reject(error), false);
          return;
        }
        timer = setTimeout(onTimeout, bounds.timeLimitMs);
        child.send(GO);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      const onDeath = () => {
        // The process died while idle and this was noticed late: the task runs in another one.
        const another = () => resolve(this.run(name, given, signal, limit));
        const message = `${subject()} needs more memory than is given to one, or breaks its decoder. Send a smaller one.`;
        settle(waited && reading === undefined ? another : () => reject(failed(message)), false);
      };
      child.once('exit', onDeath);
      child.on('message', (reply: TaskReply) => {
        if ('reading' in reply) reading = reply.reading;
        else if ('large' in reply) void admit();
        else if ('allow' in reply) allow(reply.allow);
        else if ('result' in reply) settle(() => resolve(reply.result), !reply.spent);
        else if ('error' in reply) {
          const { code, message, details } = reply.error;
          settle(() => reject(new ToolError(code, message, details)), !reply.spent);
        } else settle(() => reject(new Error(reply.defect)), !reply.spent);
      });
      child.send({ name, given } satisfies TaskMessage<All, Name>, (error) => {
        if (error) onDeath();
      });
    });
  }

  private start(): ChildProcess {
    const child = spawnLimited(
      [process.execPath, '--disable-warning=ExperimentalWarning', this.kind.program],
      [`--data=${this.kind.memoryBytes}`],
      {
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        // Nothing of our environment, above all no secret.
        env: { PATH: process.env.PATH, HOME: '/nonexistent', LC_ALL: 'C.UTF-8', ...compileCache() },
      },
    );
    // A failed start also counts as an 'exit'.
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

  /** An idle process, or else a new one. */
  private take(): Omit<Waiting, 'timer'> {
    const waiting = this.idle.pop();
    if (!waiting) return { child: this.start(), tasks: 0, charged: 0 };
    clearTimeout(waiting.timer);
    waiting.child.removeAllListeners('exit');
    return waiting;
  }

  /** Keeps a process for another task, or ends it. */
  private release(child: ChildProcess, tasks: number, charged: number): void {
    const capacity = this.idle.length < CORES;
    if (capacity && tasks < MAXIMUM_TASKS && child.connected) this.keep(child, tasks, charged);
    else killGroup(child);
  }
}

/** Kills a process with all that it started, and continues when all of them have ended. */
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

/** Resolves when no process of this group is left, or shortly before: child processes end a moment later. */
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
