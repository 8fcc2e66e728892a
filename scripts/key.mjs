/** npm run key: creates, lists and revokes operators' API keys from the command line. */
import { runWithNode, setup } from './setup.mjs';

const node = await setup([]);
process.exit(await runWithNode(node, ['scripts/key.ts', ...process.argv.slice(2)]));
