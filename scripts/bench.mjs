/** npm run bench: compares our performance with the alternatives that users have, as ratios within one run. */
import { runWithNode, setup } from './setup.mjs';

const node = await setup(['worker', 'local', 'test']);
process.exit(await runWithNode(node, ['test/bench/bench.ts', ...process.argv.slice(2)]));
