/** Programs that end with the process that starts them, also where that one is killed and can end nothing itself. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Writes a script to `path` that is started like `program`; the kernel ends it with its parent, where it can. `flags`
 * take the place of those that it is given by the same names: a program may put the two in an order of its own.
 */
export function writeTiedProgram(
  path: string,
  program: string,
  flags: readonly string[] = [],
): void {
  mkdirSync(dirname(path), { recursive: true });
  const command = `'${program}' "$@" ${flags.join(' ')}`;
  const replaced = flags.map((flag) => flag.replace(/=.*/, '=*')).join(' | ');
  const leaveOut = `for given do shift; case $given in ${replaced}) ;; *) set -- "$@" "$given" ;; esac; done`;
  // Two services may start at the same moment: the file is there whole, or not yet.
  const draft = `${path}-${process.pid}`;
  rmSync(draft, { force: true });
  writeFileSync(
    draft,
    `#!/bin/sh
${flags.length > 0 ? leaveOut : ''}
if command -v setpriv >/dev/null; then exec setpriv --pdeathsig KILL -- ${command}; fi
exec ${command}
`,
    { mode: 0o755 },
  );
  renameSync(draft, path);
}
