/** Gives unprivileged users access to a repository that only root can enter. Parts of the service run as such users. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, statSync } from 'node:fs';
import { dirname, relative } from 'node:path';

const UNSHARE = '/usr/bin/unshare';
const NAMESPACE = ['--mount', '--propagation', 'private', '--'];
const SCRIPT = 'if mount --bind "$1" "$2"; then cd "$2"; fi; shift 2; exec "$@"';

/**
 * Restarts this program in a mount namespace that shows the repository under /run, if the working directory is in a
 * folder that only root can enter, such as /root. Processes outside the namespace do not see the mount. If the kernel
 * refuses the namespace or the mount, as it does in most containers, the program continues unconfined and reports the
 * missing confinement.
 */
export function reachFolder(): void {
  const folder = process.cwd();
  if (process.getuid?.() !== 0 || process.env.TOOLS_FOLDER || isReachable(folder)) return;
  if (spawnSync(UNSHARE, [...NAMESPACE, 'true']).status !== 0) return;
  const digest = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  const mount = `/run/tools-${digest}`;
  mkdirSync(mount, { recursive: true });
  const inside = (path: string) => {
    const part = relative(folder, path);
    return part.startsWith('..') ? path : part;
  };
  const command = [
    `./${inside(process.execPath)}`.replace(/^\.\/\//, '/'),
    ...[...process.execArgv, ...process.argv.slice(1)].map(inside),
  ];
  const words = [...NAMESPACE, 'sh', '-c', SCRIPT, 'sh'];
  process.execve?.(UNSHARE, ['unshare', ...words, folder, mount, ...command], {
    ...(process.env as Record<string, string>),
    TOOLS_FOLDER: folder,
  });
}

/** Whether other users can read the folder and enter all of its parent folders. */
export function isReachable(folder: string): boolean {
  if ((statSync(folder).mode & 0o005) !== 0o005) return false;
  for (let path = folder; path !== dirname(path); path = dirname(path)) {
    if ((statSync(path).mode & 0o001) === 0) return false;
  }
  return true;
}
