/** What Node has compiled before, for processes that read hostile files: only where they cannot write what others run. */
import { accessSync, constants, statSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';

/** The variable that names it, or nothing. Our processes run under our user: what we may not write, nor allow ourselves to, they may not. */
export function compileCache(): { NODE_COMPILE_CACHE?: string } {
  const { NODE_COMPILE_CACHE: given } = process.env;
  const used = getCompileCacheDir();
  if (!given || !used || isWritable(given) || isWritable(used)) return {};
  return { NODE_COMPILE_CACHE: given };
}

function isWritable(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    return true;
  } catch {
    return statSync(directory).uid === process.getuid?.();
  }
}
