/** Makes Miniflare start workerd tied to the lifetime of its parent process. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cacheFolder } from './cache-folder.ts';
import { scriptKey, type Tied, writeTiedProgram } from './tied-program.ts';

/** The path of workerd. */
export const WORKERD: string = createRequire(import.meta.resolve('miniflare'))('workerd').default;

/** Applies to Miniflare in this process and in those that it starts. */
export function tieWorkerd(tied: Tied = {}): void {
  const path = join(cacheFolder(), `workerd-${scriptKey(WORKERD, tied)}`);
  writeTiedProgram(path, WORKERD, tied);
  process.env.MINIFLARE_WORKERD_PATH ??= path;
}
