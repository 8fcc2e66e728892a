/** Describes what this machine allows, for tests that need a privilege. */
import { spawnSync } from 'node:child_process';
import { isReachable } from '../../scripts/reachable-folder.ts';

const succeeds = (program: string, ...words: string[]): boolean =>
  spawnSync(program, words).status === 0;

export const isRoot = process.getuid?.() === 0;

/** Whether root can run programs as other users. Those users could not open the programs in a folder such as /root. */
export const hasUsers = isRoot && isReachable(process.cwd());

/** The user as which root starts programs. */
export const nobody = hasUsers ? 65_534 : undefined;

/** Whether programs can have their own users and network. Most containers do not allow this. */
export const canUnshare = succeeds('unshare', '--user', '--pid', '--net', '--fork', 'true');

/**
 * Whether programs can mount file systems as the root of their own user namespace. The kernel does not allow this below
 * a changed root directory, and most containers do not allow it either.
 */
export const canMountAsOwnRoot = succeeds('unshare', '-rm', 'true');

/** Whether root can mount file systems that other programs do not see. */
export const canMount =
  isRoot && succeeds('unshare', '--mount', '--propagation', 'private', 'true');
