/** Finds the descendants of a process. */
import { readdirSync, readFileSync } from 'node:fs';

/** Returns the commands of all descendants, by process ID. */
export function descendantsOf(root: number): Map<number, string> {
  const parents = new Map<number, [parent: number, command: string]>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const match = /\((.*)\) (\S) (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8'));
      if (match && match[2] !== 'Z') parents.set(Number(name), [Number(match[3]), match[1]!]);
    } catch {
      // The process has already exited.
    }
  }
  const isBelow = (id: number): boolean => {
    const parent = parents.get(id)?.[0];
    return parent !== undefined && (parent === root || isBelow(parent));
  };
  return new Map(
    [...parents].filter(([id]) => isBelow(id)).map(([id, [, command]]) => [id, command]),
  );
}

/** Returns the ID of a process's parent. */
export const parentOf = (id: number): number =>
  Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${id}/stat`, 'utf8'))?.[1]);

/** Whether a process is still running. A zombie counts as exited. */
export const isAlive = (pid: number) => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

/** Returns the command line of a process. Returns an empty string if the process has exited. */
export function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
