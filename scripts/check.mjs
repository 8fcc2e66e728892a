/** npm run check: types, lint, format, names, generated files, dead code. */
import { runWithNode, setup } from './setup.mjs';

const node = await setup([]);
process.exit(await runWithNode(node, ['scripts/checks.ts']));
