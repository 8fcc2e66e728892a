/** npm test: sets up everything, then runs the checks and all tests. Ends with "N passed, N failed". */
import { runWithNode, setup } from './setup.mjs';

const node = await setup(['worker', 'local', 'test']);
process.exit(await runWithNode(node, ['scripts/run-tests.ts']));
