/** npm run fuzz -- [target] [seconds] [--seed N]: generated inputs for every parser and every tool, within budgets. */
import { runWithNode, setup } from './setup.mjs';

const node = await setup(['worker', 'local', 'test']);
process.exit(await runWithNode(node, ['test/fuzz/fuzz.ts', ...process.argv.slice(2)]));
