/** Reads the CPU time that processes have used, as counted by the kernel (proc(5), Linux). */
import { readdirSync, readFileSync } from 'node:fs';

/** The number of clock ticks per second in /proc, on every architecture that Node supports. */
const TICKS = 100;
/** Indexes of fields after the name in /proc/PID/stat. `CHILDREN_…` are sums over exited children. */
const [GROUP, USER, SYSTEM, CHILDREN_USER, CHILDREN_SYSTEM] = [2, 11, 12, 13, 14] as const;

export interface CpuTime {
  group: number;
  /** CPU seconds used by the process itself. */
  own: number;
  /** CPU seconds used by exited children and their descendants. */
  children: number;
}

/** Returns undefined if the process has exited or /proc is unavailable. */
export function cpuTimeOf(pid: number | 'self'): CpuTime | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  // The process name is enclosed in parentheses and may itself contain parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = (index: number) => Number(fields[index] ?? 0);
  return {
    group: ticks(GROUP),
    own: (ticks(USER) + ticks(SYSTEM)) / TICKS,
    children: (ticks(CHILDREN_USER) + ticks(CHILDREN_SYSTEM)) / TICKS,
  };
}

/** Returns the CPU seconds used by all running processes in a process group and by their exited children. */
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
 * Returns the CPU seconds used by a child that has just exited, capped at `most`. Call this function once per child.
 * The kernel reports only the total for all exited children. If several exit at the same time, the first call may also
 * include the time of the others.
 */
export function takeCpuTimeOfEnded(most: number): number {
  const all = cpuTimeOf('self')?.children ?? 0;
  const taken = Math.min(Math.max(0, all - attributed), most);
  attributed += taken;
  return taken;
}
