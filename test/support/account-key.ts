/** An API key with an account, as `npm run key` makes it, for what anonymous callers may not do. */
import { spawnSync } from 'node:child_process';
import { serviceEnvironment } from './global-setup.ts';

/** A new key in the state of a service that runs on `stateDir`. */
export function accountKey(stateDir: string, ...words: string[]): string {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['scripts/key.ts', '--account', 'Tests', ...words],
    { encoding: 'utf8', env: serviceEnvironment({ STATE_DIR: stateDir }) },
  );
  if (status !== 0) throw new Error(`no key was made: ${stderr}`);
  return stdout.trim();
}
