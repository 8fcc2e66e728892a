/** Starts programs that end with their parent process, even if that is killed. */
import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { findSystemProgram, SYSTEM_PATH } from '../containers/media/programs.ts';

export interface Tied {
  /** Flags that replace given ones of the same name. If a flag is repeated, programs differ in which value they use. */
  flags?: readonly string[];
  /** Names of given flags to drop. */
  without?: readonly string[];
  /** Runs the program as this user and group. Requires root. */
  user?: number | undefined;
  /** Whether programs with the set-user-ID bit may raise its privileges. */
  mayGainPrivileges?: boolean;
  /** Options for prlimit. */
  limits?: readonly string[];
  /** The niceness of the process, from 0 to 19. */
  niceness?: number;
  /** Shell code that runs for each argument, which is in `$given`. */
  each?: string;
  /** Shell code that runs before the program starts. */
  prepare?: string;
  /** The whole environment, as assignments that the shell expands. Default: the environment of this process. */
  environment?: string;
}

/** Whether setpriv can start programs without new privileges, as another user and tied to their parent's lifetime. */
export const hasSetpriv = () => findSystemProgram('setpriv') !== undefined;

/**
 * Returns a name for the script of `program`, different for each confinement. Otherwise a less
 * confined service in the same folder would replace the script of a better confined one.
 */
export const scriptKey = (program: string, tied: Tied): string =>
  createHash('sha256')
    .update(JSON.stringify([program, tied]))
    .digest('hex')
    .slice(0, 16);

/** Writes a script to `path` that starts `program`. With setpriv, the kernel kills it when its parent ends. */
export function writeTiedProgram(path: string, program: string, tied: Tied = {}): void {
  const {
    flags = [],
    without = [],
    user,
    each = '',
    prepare = '',
    limits = [],
    niceness = 0,
  } = tied;
  mkdirSync(dirname(path), { recursive: true });
  const replaced = [...without, ...flags.map((flag) => flag.replace(/=.*/, '=*'))].join(' | ');
  const leaveOut = replaced ? `${replaced}) ;; ` : '';
  const isolated = [
    ...(tied.mayGainPrivileges ? [] : ['--no-new-privs']),
    ...(user === undefined ? [] : [`--reuid ${user} --regid ${user} --clear-groups`]),
  ].join(' ');
  const command = `nice -n ${niceness} '${program}' "$@" ${flags.join(' ')}`;
  // The file is first written under another name, because two services may start at once.
  const draft = `${path}-${process.pid}`;
  rmSync(draft, { force: true });
  writeFileSync(
    draft,
    `#!/bin/sh
PATH='${SYSTEM_PATH}'
for given do shift; ${each}
case $given in ${leaveOut}*) set -- "$@" "$given" ;; esac; done
${prepare}
set -- ${command}
if command -v prlimit >/dev/null; then set -- prlimit --core=0 ${limits.join(' ')} -- "$@"; fi
if command -v setpriv >/dev/null; then set -- setpriv ${isolated} --pdeathsig KILL -- "$@"; fi
${tied.environment === undefined ? '' : `set -- env -i ${tied.environment} "$@"`}
exec "$@"
`,
    { mode: 0o755 },
  );
  renameSync(draft, path);
}
