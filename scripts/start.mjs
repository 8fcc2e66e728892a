/** npm start: sets up everything, then serves until Ctrl-C. */
import { runWithNode, setup } from './setup.mjs';

const node = await setup(['worker', 'local']);
process.exit(await runWithNode(node, ['scripts/serve.ts']));
