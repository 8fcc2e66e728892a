/** Programs that end with the process that starts them, also where that one is killed and can end nothing itself. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

interface Tied {
  /** Take the place of flags of the same names that it is given: a program may put the two in an order of its own. */
  flags?: readonly string[];
  /** Flags that it is given and that are left out. */
  without?: readonly string[];
  /** Runs it as this user and group; only root can. */
  user?: number | undefined;
  /** Whether it can gain privileges by a program with the set-user-ID bit, as every program can by default. */
  mayGainPrivileges?: boolean;
  /** Options of prlimit. */
  limits?: readonly string[];
  /** Lines of shell that run first; `$given` is each of its arguments in `each`. */
  each?: string;
  prepare?: string;
  /** Assignments, which the shell expands; then they are all of its environment. */
  environment?: string;
}

/** Writes a script to `path` that starts `program`; the kernel ends it with its parent, where setpriv is installed. */
export function writeTiedProgram(path: string, program: string, tied: Tied = {}): void {
  const { flags = [], without = [], user, each = '', prepare = '', limits = [] } = tied;
  mkdirSync(dirname(path), { recursive: true });
  const replaced = [...without, ...flags.map((flag) => flag.replace(/=.*/, '=*'))].join(' | ');
  const leaveOut = replaced ? `${replaced}) ;; ` : '';
  const isolated = [
    ...(tied.mayGainPrivileges ? [] : ['--no-new-privs']),
    ...(user === undefined ? [] : [`--reuid ${user} --regid ${user} --clear-groups`]),
  ].join(' ');
  const command = `'${program}' "$@" ${flags.join(' ')}`;
  // Two services may start at the same moment: the file is complete, or not there yet.
  const draft = `${path}-${process.pid}`;
  rmSync(draft, { force: true });
  writeFileSync(
    draft,
    `#!/bin/sh
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
