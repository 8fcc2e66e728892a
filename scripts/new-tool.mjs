/** npm run new-tool NAME [--file]: scaffolds a tool; with --file one that works on files in the media worker. */
import { runWithNode, setup } from './setup.mjs';

const node = await setup([]);
process.exit(await runWithNode(node, ['scripts/new-tool.ts', ...process.argv.slice(2)]));
