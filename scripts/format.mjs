/** npm run format: formats every file and fixes what the linter can fix. */
import { runWithNode, setup } from './setup.mjs';

const node = await setup([]);
process.exit(
  await runWithNode(node, ['node_modules/@biomejs/biome/bin/biome', 'check', '--write', '.']),
);
