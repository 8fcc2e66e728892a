/** Confines the programs of the media worker: an unprivileged user, and namespaces without a network (ADR 47). */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { type Confinement, USERS } from '../../src/core/confinement.ts';
import { findSystemProgram, SYSTEM_PATH } from './programs.ts';
import { isRoot, obstacleToBecoming } from './root.ts';
import type { WorkDirectory } from './work-directory.ts';

/** The limit on threads and processes of all programs together. */
const PROCESSES = 1024;

/** Runs in the new namespaces, so that no program there can create further ones or get a capability from the holder. */
const HOLD = `
echo 0 2>/dev/null >/proc/sys/user/max_user_namespaces
echo held
exec setpriv --no-new-privs --inh-caps=-all --ambient-caps=-all --bounding-set=-all -- cat`;

/** The environment of the programs that make the namespaces. */
const ENVIRONMENT = { PATH: SYSTEM_PATH, LC_ALL: 'C.UTF-8' };

let holder: number | undefined;
let isConfined = false;

/**
 * Returns the prefix of a command line that runs the command in the namespaces; empty without
 * namespaces.
 */
export const intoNamespaces = (): string[] =>
  holder === undefined
    ? []
    : [
        ...[findSystemProgram('nsenter') ?? 'nsenter', '--preserve-credentials'],
        ...['--user', '--net', '--ipc', '--target', String(holder), '--'],
      ];

/**
 * Options for prlimit. The kernel counts processes per user and user namespace, so no limit is set if both are shared.
 */
export const processLimit = (): string[] => (isConfined ? [`--nproc=${PROCESSES}`] : []);

/**
 * Drops root privileges permanently, changes the owner of `workDirectory` to the new user, and prepares the namespaces
 * for all programs that this process starts. Never throws: a measure that fails is reported as off.
 * @param onLost called when the namespaces are gone, so that no program can be started any more
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
  if (findSystemProgram('prlimit')) on.push('limits on memory, time and processes');
  else off.push('limits on memory, time and processes (prlimit from util-linux is not installed)');
  on.push('clean environment');
  return { on, off };
}

/**
 * Changes the owner of the directory to the new user. If that user cannot use it, restores the owner and returns the
 * reason.
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

/**
 * Starts the process that keeps the namespaces alive, and that ends with this one. Returns the
 * reason if it cannot.
 */
async function holdNamespaces(asUser: boolean): Promise<ChildProcess | string> {
  if (process.platform !== 'linux') return 'only Linux has namespaces';
  const unshare = ['unshare', '--user', '--map-current-user', '--keep-caps', '--net', '--ipc'];
  // Some kernels let only administrators create user namespaces. Root passes this capability on to the new user.
  const administrator = ['--inh-caps=+sys_admin', '--ambient-caps=+sys_admin'];
  const user = ['--reuid', USERS.media, '--regid', USERS.media, '--clear-groups'].map(String);
  const [program = '', ...words] = [
    ...(asUser ? ['setpriv', ...user, ...administrator, '--'] : []),
    ...[...unshare, '--', 'sh', '-c', HOLD],
  ];
  const child = spawn(program, words, {
    stdio: ['pipe', 'pipe', 'pipe'],
    // The process is detached, because Ctrl-C must not end it while this process finishes programs.
    // It ends when its standard input closes.
    detached: true,
    env: ENVIRONMENT,
  });
  let said = '';
  child.stderr.on('data', (piece: Buffer) => {
    said += piece;
  });
  child.stdin.on('error', () => undefined);
  const failed = new Promise<'failed'>((resolve) => {
    child.once('error', () => resolve('failed'));
    child.once('close', () => resolve('failed'));
  });
  if ((await Promise.race([once(child.stdout, 'data'), failed])) === 'failed') {
    return lastLine(said) || 'unshare from util-linux is not installed';
  }
  // The holder must not keep this process alive.
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr])
    (stream as { unref?(): void }).unref?.();
  return child;
}

/** Lets programs enter the namespaces. Returns the reason when they cannot: a seccomp profile may allow only `unshare`. */
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
