/** npm run new-tool NAME: lays out the folder of a new tool and puts it into the registry. */
import { runWithNode, setup } from './setup.mjs';

const node = await setup([]);
process.exit(await runWithNode(node, ['scripts/new-tool.ts', ...process.argv.slice(2)]));
