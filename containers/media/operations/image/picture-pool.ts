/** Runs picture tasks in processes that can be killed, and keeps some of them warm for the next task. */

import type { ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { failed, ToolError } from '../../../../src/core/errors.ts';
import { killGroup, spawnLimited } from '../../run-program.ts';
import { type Ticket, WorkQueue } from '../../work-queue.ts';
import type { PictureTasks, TaskName, TaskReply } from './picture-task.ts';

const PROGRAM = join(import.meta.dirname, 'picture-process.ts');
/** What a process may have mapped for writing: 100 megapixels as AVIF map 6 GB, and touch 3.2. */
const MEMORY_BYTES = 7 * 1024 ** 3;
const TIME_LIMIT_MS = 60_000;
/** A start takes some 0.2 s, so a process waits for the next task; not for ever. */
const IDLE_MS = 15_000;
/** What libvips and V8 have not given back is given back by a new process. */
const MAXIMUM_TASKS = 50;
const LARGE_WAITING_LIMIT = 8;

interface Waiting {
  child: ChildProcess;
  tasks: number;
  timer: NodeJS.Timeout;
}

const idle: Waiting[] = [];
const largePictures = new WorkQueue(1, LARGE_WAITING_LIMIT);

/** Has a process ready, at best before it is needed: while the pictures come in. */
export function warmPictureProcess(): void {
  if (idle.length === 0) keep(start(), 0);
}

function start(): ChildProcess {
  const child = spawnLimited(
    [process.execPath, '--disable-warning=ExperimentalWarning', PROGRAM],
    [`--data=${MEMORY_BYTES}`],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // Nothing of ours, above all no secret.
      env: { PATH: process.env.PATH, HOME: '/nonexistent', LC_ALL: 'C.UTF-8' },
    },
  );
  // Its end is seen as 'exit'; that it could not be started, too.
  child.on('error', () => child.emit('exit', null, null));
  return child;
}

function keep(child: ChildProcess, tasks: number): void {
  const forget = () => {
    clearTimeout(waiting.timer);
    const at = idle.indexOf(waiting);
    if (at >= 0) idle.splice(at, 1);
  };
  const end = () => {
    forget();
    killGroup(child);
  };
  const waiting: Waiting = { child, tasks, timer: setTimeout(end, IDLE_MS).unref() };
  idle.push(waiting);
  child.once('exit', forget);
}

/** A process and the number of tasks that it has done. */
function take(): { child: ChildProcess; tasks: number } {
  const waiting = idle.pop();
  if (!waiting) return { child: start(), tasks: 0 };
  clearTimeout(waiting.timer);
  waiting.child.removeAllListeners('exit');
  return waiting;
}

/** Removes the listeners of a task, and lets the process wait for another one or ends it. */
function release(child: ChildProcess, tasks: number): void {
  const room = idle.length < availableParallelism();
  if (room && tasks < MAXIMUM_TASKS && child.connected) keep(child, tasks);
  else killGroup(child);
}

/**
 * Performs a task in a process of its own. Throws ToolError: what the task found wrong, or 422 where the process died
 * of it or its time is over; the signal's reason when aborted.
 */
export function runPictureTask<Name extends TaskName>(
  name: Name,
  given: PictureTasks[Name]['given'],
  signal: AbortSignal,
  timeLimitMs = TIME_LIMIT_MS,
): Promise<PictureTasks[Name]['result']> {
  signal.throwIfAborted();
  const waited = idle.length > 0;
  const { child, tasks } = take();
  let reading: string | undefined;
  const ended = new AbortController();
  const waiting = AbortSignal.any([signal, ended.signal]);
  let ticket: Ticket | undefined;
  return new Promise((resolve, reject) => {
    const settle = (act: () => void, healthy: boolean) => {
      if (ended.signal.aborted) return;
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      ended.abort();
      ticket?.leave();
      child.removeAllListeners('message').removeAllListeners('exit');
      if (healthy) release(child, tasks + 1);
      else killGroup(child);
      act();
    };
    const onAbort = () => settle(() => reject(signal.reason), false);
    const onTimeout = () => {
      const message = `${reading ?? 'The picture'} takes longer than the limit of ${timeLimitMs / 1000} seconds. Send a simpler or smaller one.`;
      settle(() => reject(failed(message)), false);
    };
    let timer = setTimeout(onTimeout, timeLimitMs);
    /** Its time begins anew once it is the only large one. */
    const admit = async () => {
      clearTimeout(timer);
      try {
        ticket = largePictures.enter();
        await ticket.turn(waiting);
      } catch (error) {
        if (!waiting.aborted) settle(() => reject(error), false);
        return;
      }
      timer = setTimeout(onTimeout, timeLimitMs);
      child.send('go');
    };
    signal.addEventListener('abort', onAbort, { once: true });
    const onDeath = () => {
      // It died while it waited, and the news of it came late: the task goes to another one.
      const another = () => resolve(runPictureTask(name, given, signal, timeLimitMs));
      const message = `${reading ?? 'The picture'} needs more memory than is given to one, or breaks its decoder. Send a smaller one.`;
      settle(waited && reading === undefined ? another : () => reject(failed(message)), false);
    };
    child.once('exit', onDeath);
    child.on('message', (reply: TaskReply) => {
      if ('reading' in reply) reading = reply.reading;
      else if ('large' in reply) void admit();
      else if ('result' in reply) {
        settle(() => resolve(reply.result as PictureTasks[Name]['result']), true);
      } else if ('error' in reply) {
        const { code, message, details } = reply.error;
        settle(() => reject(new ToolError(code, message, details)), true);
      } else settle(() => reject(new Error(reply.defect)), true);
    });
    child.send({ name, given }, (error) => {
      if (error) onDeath();
    });
  });
}
