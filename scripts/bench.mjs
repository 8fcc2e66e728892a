/** npm run bench: our figures beside those of what one would use instead, as ratios of one run. */
import { runWithNode, setup } from './setup.mjs';

const node = await setup(['worker', 'local', 'test']);
process.exit(await runWithNode(node, ['test/bench/bench.ts', ...process.argv.slice(2)]));
