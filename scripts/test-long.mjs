/** npm run test:long [-- FILE …]: sets up everything, then runs the tests of test/long, which take minutes each. */
import { runWithNode, setup } from './setup.mjs';

const node = await setup(['worker', 'local', 'test']);
const args = ['run', '--project=long', ...process.argv.slice(2)];
process.exit(await runWithNode(node, ['node_modules/vitest/vitest.mjs', ...args]));
