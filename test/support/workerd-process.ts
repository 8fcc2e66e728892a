/** Finds the workerd process of a running service, and reads its memory. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Returns the ID of a service's workerd process. */
export function workerdOf(service: number): number {
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const [, command, parent] = /\((.*)\) \S (\d+)/.exec(stat) ?? [];
      if (command === 'workerd' && Number(parent) === service) return Number(name);
    } catch {
      // The process has already exited.
    }
  }
  throw new Error(`the service ${service} has no workerd`);
}

/** Returns the resident memory of a process in MB. */
export const residentOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Returns a process's peak resident memory in MB since the last call to `forgetPeak`, or since the process started. */
export const peakOf = (pid: number): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Resets the peak that `peakOf` returns (proc_pid_clear_refs(5)). */
export const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');
