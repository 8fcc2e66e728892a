/**
 * Locates the folder of generated programs. It must not be mounted `noexec`, as folders for
 * temporary files may be.
 */
import { resolve } from 'node:path';

export const cacheFolder = (): string => resolve(process.env.TOOLS_CACHE || '.wrangler/cache');
