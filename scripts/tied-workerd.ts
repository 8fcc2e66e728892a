/** Makes Miniflare start a workerd that exits with its parent process. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cacheFolder } from './cache-folder.ts';
import { scriptKey, type Tied, writeTiedProgram } from './tied-program.ts';

export const WORKERD: string = createRequire(import.meta.resolve('miniflare'))('workerd').default;

/**
 * Sets `MINIFLARE_WORKERD_PATH` if it is unset. Miniflare in this process and in its children then starts a workerd
 * that exits with its parent.
 */
export function tieWorkerd(tied: Tied = {}): void {
  const path = join(cacheFolder(), `workerd-${scriptKey(WORKERD, tied)}`);
  writeTiedProgram(path, WORKERD, tied);
  process.env.MINIFLARE_WORKERD_PATH ??= path;
}
