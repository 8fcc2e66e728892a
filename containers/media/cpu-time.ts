/** The CPU time that processes have used, as the kernel counts it (proc(5), Linux). */
import { readdirSync, readFileSync } from 'node:fs';

/** Ticks a second in /proc, on every architecture that Node runs on. */
const TICKS = 100;
/** Fields of /proc/PID/stat behind the name: of the process itself, and of its children that have ended. */
const [GROUP, USER, SYSTEM, CHILDREN_USER, CHILDREN_SYSTEM] = [2, 11, 12, 13, 14] as const;

export interface CpuTime {
  group: number;
  /** Seconds of the process itself. */
  own: number;
  /** Seconds of its children that have ended, with theirs. */
  children: number;
}

/** Undefined where the process is gone, or where there is no /proc. */
export function cpuTimeOf(pid: number | 'self'): CpuTime | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  // The name stands in parentheses and may hold any of them.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = (index: number) => Number(fields[index] ?? 0);
  return {
    group: ticks(GROUP),
    own: (ticks(USER) + ticks(SYSTEM)) / TICKS,
    children: (ticks(CHILDREN_USER) + ticks(CHILDREN_SYSTEM)) / TICKS,
  };
}

/** Seconds of all processes of a group that still run, with their children that have ended. */
export function cpuTimeOfGroup(leader: number): number {
  let seconds = 0;
  for (const entry of listProcesses()) {
    const time = cpuTimeOf(Number(entry));
    if (time?.group === leader) seconds += time.own + time.children;
  }
  return seconds;
}

function listProcesses(): string[] {
  try {
    return readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
  } catch {
    return [];
  }
}

let attributed = 0;

/**
 * Seconds of the child that has just ended, to be called when it has. The kernel adds up the children of a process, so
 * of several that ended at once each takes at most what it can have used; the rest is left for the others.
 */
export function takeCpuTimeOfEnded(most: number): number {
  const all = cpuTimeOf('self')?.children ?? 0;
  const taken = Math.min(Math.max(0, all - attributed), most);
  attributed += taken;
  return taken;
}
