/** `npm run backup -- FILE` writes the state of the local service to a file. The service may be running. */
import { existsSync } from 'node:fs';
import { backUp } from './state-archive.ts';

if (existsSync('.env')) process.loadEnvFile('.env');
const [file, ...more] = process.argv.slice(2);

try {
  if (!file || file.startsWith('-') || more.length > 0) {
    throw new Error(
      'Usage: npm run backup -- FILE (backs up STATE_DIR; the service may be running)',
    );
  }
  const { files, bytes } = await backUp(process.env.STATE_DIR || '.wrangler/state', file);
  console.log(`${file}: ${files} files, ${bytes} bytes`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
