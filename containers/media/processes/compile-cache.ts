/** Lets processes that read hostile files use Node's compile cache, unless they could write code that others run. */
import { accessSync, constants, statSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';

/**
 * Returns the variable that names the cache, or nothing. Our processes run as our user, so they
 * cannot write what this process cannot write or make writable.
 */
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
