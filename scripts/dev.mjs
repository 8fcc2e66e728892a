/** npm run dev: `wrangler dev` with the media worker beside it, for development. */
import { runWithNode, setup } from './setup.mjs';

const node = await setup(['worker', 'local']);
process.exit(await runWithNode(node, ['scripts/develop.ts', ...process.argv.slice(2)]));
