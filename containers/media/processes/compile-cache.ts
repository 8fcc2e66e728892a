/**
 * Allows processes that read untrusted files to use Node's compile cache. If such a process can write to the cache, it
 * must not use it, because other processes would run code from it.
 */
import { accessSync, constants, statSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';

/**
 * Returns the environment variable that names the cache, or an empty object. Our processes run as the same user, so
 * they can write to the cache only if this process can.
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
