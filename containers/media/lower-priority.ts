/** Lowers the priority of programs below that of the server, so that it responds when all cores are busy. */
import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

const NICENESS = 5;
/** Without root, the kernel accepts one change of a session's priority per this interval. */
const SESSION_CHANGE_MS = 100;

/**
 * Lowers the priority of a running process and, if it leads a session, of that session. Linux can share the cores
 * between sessions first and only then between the processes of each ("autogroup" in sched(7)).
 */
export function lowerPriority({ pid }: ChildProcess, leadsSession: boolean): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, NICENESS);
  } catch {
    // The program has already exited.
  }
  if (leadsSession) lowerSession(pid);
}

function lowerSession(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(NICENESS));
  } catch (error) {
    // Any other error means that the program has exited or the kernel does not group sessions.
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
    setTimeout(lowerSession, SESSION_CHANGE_MS, pid).unref();
  }
}
