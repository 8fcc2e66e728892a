/** npm run admin: finds and moderates files, links, keys, accounts and reports from the command line. */
import { runWithNode, setup } from './setup.mjs';

const node = await setup([]);
process.exit(await runWithNode(node, ['scripts/admin.ts', ...process.argv.slice(2)]));
