/** Confines the media worker's programs to an unprivileged user and to namespaces without a network (ADR 47). */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { type Confinement, USERS } from '../../src/core/confinement.ts';
import { findSystemProgram, SYSTEM_PATH } from './programs.ts';
import { isRoot, obstacleToBecoming } from './root.ts';
import type { WorkDirectory } from './work-directory.ts';

/** The maximum number of processes and threads across all programs. */
const PROCESSES = 1024;

/**
 * The script that keeps the namespaces open. It prevents programs from creating more namespaces, and drops its own
 * capabilities so that no program can acquire them.
 */
const HOLD = `
echo 0 2>/dev/null >/proc/sys/user/max_user_namespaces
echo held
exec setpriv --no-new-privs --inh-caps=-all --ambient-caps=-all --bounding-set=-all -- cat`;

/** The environment variables of the programs that create and enter the namespaces. */
const ENVIRONMENT = { PATH: SYSTEM_PATH, LC_ALL: 'C.UTF-8' };

let holder: number | undefined;
let isConfined = false;

/**
 * Returns the command-line prefix that runs a command in the namespaces, or an empty array if there are no namespaces.
 */
export const intoNamespaces = (): string[] =>
  holder === undefined
    ? []
    : [
        ...[findSystemProgram('nsenter') ?? 'nsenter', '--preserve-credentials'],
        ...['--user', '--net', '--ipc', '--target', String(holder), '--'],
      ];

/**
 * Returns the options for prlimit. Sets no limit if other processes share both the user and the user namespace, because
 * the kernel would count them too.
 */
export const processLimit = (): string[] => (isConfined ? [`--nproc=${PROCESSES}`] : []);

/**
 * Drops root privileges permanently, changes the owner of `workDirectory` to the new user, and prepares the namespaces
 * for all programs that this process starts. Never throws. The result's `off` list contains each measure that failed.
 * @param onLost called when the namespaces cease to exist and no more programs can be started
 */
export async function confine(
  workDirectory: WorkDirectory,
  onLost: () => void,
): Promise<Confinement> {
  const on: string[] = [];
  const off: string[] = [];
  const obstacle = isRoot()
    ? (obstacleToBecoming(USERS.media) ?? handOver(workDirectory))
    : undefined;
  const dropsRoot = isRoot() && !obstacle;
  const held = await holdNamespaces(dropsRoot);
  if (dropsRoot) {
    process.setgroups?.([]);
    process.setgid?.(USERS.media);
    process.setuid?.(USERS.media);
  }
  const refusal = typeof held === 'string' ? held : useNamespaces(held, onLost);
  isConfined = dropsRoot || holder !== undefined;
  if (obstacle) off.push(`unprivileged user (${obstacle})`);
  else on.push(`user ${process.getuid?.()}`);
  if (refusal === undefined) on.push('no network');
  else off.push(`no network (${refusal})`);
  if (findSystemProgram('setpriv')) on.push('no new privileges');
  else off.push('no new privileges (setpriv from util-linux is not installed)');
  if (!findSystemProgram('prlimit')) {
    off.push('limits on memory, time and processes (prlimit from util-linux is not installed)');
  } else if (isConfined) on.push('limits on memory, time and processes');
  else {
    on.push('limits on memory and time');
    off.push(`limit on processes (other processes of user ${process.getuid?.()} would count)`);
  }
  on.push('clean environment');
  return { on, off };
}

/**
 * Changes the owner of the directory to the new user. If that user cannot open the directory, Node or this module,
 * restores the owner and returns the reason.
 */
function handOver(workDirectory: WorkDirectory): string | undefined {
  workDirectory.handTo(USERS.media);
  const needed = [process.execPath, import.meta.filename, workDirectory.path];
  process.setegid?.(USERS.media);
  process.seteuid?.(USERS.media);
  const obstacle = needed.find((path) => !canOpen(path));
  process.seteuid?.(0);
  process.setegid?.(0);
  if (!obstacle) return undefined;
  workDirectory.handTo(0);
  return `user ${USERS.media} cannot open ${obstacle}`;
}

function canOpen(path: string): boolean {
  try {
    closeSync(openSync(path, 'r'));
    return true;
  } catch {
    return false;
  }
}

/** Starts the process that keeps the namespaces open until this process exits. If that fails, returns the reason. */
async function holdNamespaces(asUser: boolean): Promise<ChildProcess | string> {
  if (process.platform !== 'linux') return 'only Linux has namespaces';
  const missing = ['setpriv', 'unshare'].find((name) => !findSystemProgram(name));
  if (missing) return `${missing} from util-linux is not installed`;
  const unshare = ['unshare', '--user', '--map-current-user', '--keep-caps', '--net', '--ipc'];
  // On some kernels, only administrators can create user namespaces. Root passes this capability on to the new user.
  const administrator = ['--inh-caps=+sys_admin', '--ambient-caps=+sys_admin'];
  const user = ['--reuid', USERS.media, '--regid', USERS.media, '--clear-groups'].map(String);
  const [program = '', ...words] = [
    ...(asUser ? ['setpriv', ...user, ...administrator, '--'] : []),
    ...[...unshare, '--', 'sh', '-c', HOLD],
  ];
  const child = spawn(program, words, {
    stdio: ['pipe', 'pipe', 'pipe'],
    // Ctrl-C must not stop this process while the media worker is still waiting for programs, so it is detached. It
    // exits when its standard input closes.
    detached: true,
    env: ENVIRONMENT,
  });
  let errors = '';
  child.stderr.on('data', (piece: Buffer) => {
    errors += piece;
  });
  child.stdin.on('error', () => undefined);
  const failed = new Promise<'failed'>((resolve) => {
    child.once('error', () => resolve('failed'));
    child.once('close', () => resolve('failed'));
  });
  if ((await Promise.race([once(child.stdout, 'data'), failed])) === 'failed') {
    return lastLine(errors) || 'unshare failed';
  }
  // The media worker must be able to exit while this process is still running.
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr])
    (stream as { unref?(): void }).unref?.();
  return child;
}

/**
 * Ensures that programs started from now on run in the namespaces. Returns the reason if the namespaces cannot be
 * entered, for example because a seccomp profile allows only `unshare`.
 */
function useNamespaces(held: ChildProcess, onLost: () => void): string | undefined {
  holder = held.pid;
  const [program = '', ...words] = [...intoNamespaces(), 'true'];
  const { status, stderr } = spawnSync(program, words, { encoding: 'utf8', env: ENVIRONMENT });
  if (status === 0) {
    held.once('exit', onLost);
    return undefined;
  }
  holder = undefined;
  held.stdin?.end();
  return lastLine(stderr ?? '') || 'nsenter from util-linux is not installed';
}

const lastLine = (text: string) => text.trim().split('\n').at(-1);
