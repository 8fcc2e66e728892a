/** `npm run restore -- FILE` replaces the state of the local service with a backup. The service must not be running. */
import { existsSync } from 'node:fs';
import { restore } from './state-archive.ts';
import { ownState } from './state-owner.ts';

if (existsSync('.env')) process.loadEnvFile('.env');
const [file, ...more] = process.argv.slice(2);
const stateDir = process.env.STATE_DIR || '.wrangler/state';

try {
  if (!file || file.startsWith('-') || more.length > 0) {
    throw new Error('Usage: npm run restore -- FILE (replaces STATE_DIR; stop the service first)');
  }
  const owned = ownState(stateDir);
  const { files, bytes, moved } = await restore(stateDir, file).finally(() => owned.release());
  console.log(`${stateDir}: ${files} files, ${bytes} bytes`);
  if (moved) console.log(`The previous state is in ${moved}. Delete it once the service works.`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
