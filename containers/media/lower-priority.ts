/**
 * Lowers the priority of programs below that of the server, so that the server responds even when all cores are busy.
 */
import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

const NICENESS = 5;
/**
 * The minimum time in milliseconds between two priority changes of any sessions on the machine. The kernel enforces it
 * for processes without root privileges.
 */
const SESSION_CHANGE_MS = 100;

/**
 * Lowers the priority of a running process and, if it leads a session, the priority of the session. Linux may divide
 * CPU time among sessions first and then among the processes of each session ("autogroup" in sched(7)).
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
    // Any other error means that the program has exited or the kernel does not support autogroup scheduling.
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
    setTimeout(lowerSession, SESSION_CHANGE_MS, pid).unref();
  }
}
