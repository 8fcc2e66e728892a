/** npm run gen: rewrites the generated files. */
import { runWithNode, setup } from './setup.mjs';

const node = await setup([]);
process.exit(await runWithNode(node, ['scripts/gen.ts', ...process.argv.slice(2)]));
