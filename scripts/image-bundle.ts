/** Bundles the Worker into `bundle` for the service's image, which contains neither wrangler nor esbuild. */
import { renameSync } from 'node:fs';
import { build } from './build.ts';
import { workerOptions } from './worker-options.ts';

const folder = await build();
// Stores the options in the bundle's folder, because the image does not contain wrangler.
await workerOptions(folder);
renameSync(folder, 'bundle');
