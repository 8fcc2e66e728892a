/**
 * Allows processes that read untrusted files to use Node's compile cache. Such a process must not use a cache to which
 * it can write, because other processes run code from the cache.
 */
import { accessSync, constants, statSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';

/**
 * Returns the environment variable that names the cache, or an empty object if it cannot be used. Our processes run as
 * the same user, so they can write to the cache only if this process can.
 */
export function compileCache(): { NODE_COMPILE_CACHE?: string } {
  const { NODE_COMPILE_CACHE: given } = process.env;
  const used = getCompileCacheDir();
  if (!given || !used || !isReadOnly(given) || !isReadOnly(used)) return {};
  return { NODE_COMPILE_CACHE: given };
}

/** Whether this process can read a directory but not write to it. Its owner could restore a missing permission. */
function isReadOnly(directory: string): boolean {
  try {
    accessSync(directory, constants.R_OK);
    return !isWritable(directory) && statSync(directory).uid !== process.getuid?.();
  } catch {
    // A process that was started as root and changed its user may be unable to enter the folder of the directory.
    return false;
  }
}

function isWritable(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
