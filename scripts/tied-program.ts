/** Starts programs that exit when their parent process does, even if the parent is killed. */
import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { findSystemProgram, SYSTEM_PATH } from '../containers/media/programs.ts';

export interface Tied {
  /** Flags that replace arguments of the same name. Programs differ in which value they use for a repeated flag. */
  flags?: readonly string[];
  /** Names of arguments to drop. */
  without?: readonly string[];
  /** Runs the program as this user and group. Requires root. */
  user?: number | undefined;
  /** Whether the program may gain privileges through programs with the set-user-ID bit. */
  mayGainPrivileges?: boolean;
  /** Options for prlimit. */
  limits?: readonly string[];
  /** The niceness of the process, from 0 to 19. */
  niceness?: number;
  /** Shell code that runs once for each argument, with the argument in `$given`. */
  each?: string;
  /** Shell code that runs before the program starts. */
  prepare?: string;
  /** The complete environment, as assignments that the shell expands. Defaults to this process's environment. */
  environment?: string;
}

/**
 * Whether setpriv is available. It starts a program as another user and without new privileges, and has the kernel kill
 * the program when its parent exits.
 */
export const hasSetpriv = () => findSystemProgram('setpriv') !== undefined;

/**
 * Returns a name for the script of `program`. The name depends on the confinement, so that a less confined service in
 * the same folder cannot replace the script of a more confined one.
 */
export const scriptKey = (program: string, tied: Tied): string =>
  createHash('sha256')
    .update(JSON.stringify([program, tied]))
    .digest('hex')
    .slice(0, 16);

/**
 * Writes a script to `path` that starts `program`. With setpriv, the kernel kills the program when its parent exits.
 */
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
  // The file is written under another name and then renamed, because two services may start at the same time.
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
