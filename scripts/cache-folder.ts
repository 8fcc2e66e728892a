/**
 * Locates the folder of generated scripts. Its file system must not be mounted `noexec`, which folders for temporary
 * files sometimes are.
 */
import { resolve } from 'node:path';

export const cacheFolder = (): string => resolve(process.env.TOOLS_CACHE || '.wrangler/cache');
