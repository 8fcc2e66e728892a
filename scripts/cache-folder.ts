/**
 * Locates the folder for generated scripts. Its file system must not be mounted `noexec`, as temporary folders
 * sometimes are.
 */
import { resolve } from 'node:path';

export const cacheFolder = (): string => resolve(process.env.TOOLS_CACHE || '.wrangler/cache');
