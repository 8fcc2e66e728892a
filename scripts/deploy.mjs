/** npm run deploy: deploys an environment of wrangler.toml; with --dry-run only prints the commands. */
import { runWithNode, setup } from './setup.mjs';

const node = await setup([]);
process.exit(await runWithNode(node, ['scripts/deploy.ts', ...process.argv.slice(2)]));
