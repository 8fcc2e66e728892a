/** npm run key: makes an API key for an account, from the shell. */
import { runWithNode, setup } from './setup.mjs';

const node = await setup([]);
process.exit(await runWithNode(node, ['scripts/key.ts', ...process.argv.slice(2)]));
