/** Where generated programs are stored. Unlike a folder for temporary files, it must allow to run them. */
import { resolve } from 'node:path';

export const cacheFolder = (): string => resolve(process.env.TOOLS_CACHE || '.wrangler/cache');
