/** npm run ingest: brings the deployed service's documents and search to the state of the repository. */
import { runWithNode, setup } from './setup.mjs';

const node = await setup([]);
process.exit(await runWithNode(node, ['scripts/ingest.ts', ...process.argv.slice(2)]));
