/** Reads the CPU time of a process, or of a process and its descendants. */
import { readFileSync } from 'node:fs';
import { descendantsOf } from '../support/descendants.ts';

const TICKS_PER_SECOND = 100;

/**
 * Returns the user and system CPU seconds of a process and of its reaped children. Returns 0 if the process has exited.
 */
export function cpuSecondsOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // Fields 14 to 17 of proc(5) are utime, stime, cutime and cstime.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return ticks / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

/** Returns the user and system CPU seconds of a process and all its descendants. */
export const treeCpuSeconds = (root: number): number =>
  [root, ...descendantsOf(root).keys()].reduce((sum, pid) => sum + cpuSecondsOf(pid), 0);
