/** Programs that end with the process that starts them, also where that one is killed and can end nothing itself. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes a script to `path` that is started like `program`; the kernel ends it with its parent, where it can. */
export function writeTiedProgram(path: string, program: string, flags = ''): void {
  mkdirSync(dirname(path), { recursive: true });
  const command = `'${program}' "$@" ${flags}`;
  // Two services may start at the same moment: the file is there whole, or not yet.
  const draft = `${path}-${process.pid}`;
  rmSync(draft, { force: true });
  writeFileSync(
    draft,
    `#!/bin/sh
if command -v setpriv >/dev/null; then exec setpriv --pdeathsig KILL -- ${command}; fi
exec ${command}
`,
    { mode: 0o755 },
  );
  renameSync(draft, path);
}
