/** What the processes of a service take: CPU, memory, and which of them run. */
import { readFileSync } from 'node:fs';
import { descendantsOf } from '../support/descendants.ts';

const TICKS_PER_SECOND = 100;

/** User and system time of a process in seconds, and that of its children that it has reaped; 0 where it is gone. */
export function cpuSecondsOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // utime, stime, cutime, cstime: fields 14 to 17 of proc(5).
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return ticks / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

/** The same of a process and all that run beneath it. */
export const treeCpuSeconds = (root: number): number =>
  [root, ...descendantsOf(root).keys()].reduce((sum, pid) => sum + cpuSecondsOf(pid), 0);
