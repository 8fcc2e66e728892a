/** An API key with an account, as `npm run key` makes it, for what anonymous callers may not do. */
import { spawnSync } from 'node:child_process';
import { makeOperatorKey } from '../../scripts/operator-key.ts';
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

/** A new key for each of these accounts, in the same state: all by one run of wrangler. */
export async function keysOf(stateDir: string, ...accounts: string[]): Promise<string[]> {
  const made = await Promise.all(
    accounts.map((account) => makeOperatorKey({ account }, Date.now())),
  );
  const command = made.map(({ sql }) => sql).join(';\n');
  const { status, stderr } = spawnSync(
    'wrangler',
    ['d1', 'execute', 'tools', '--local', '--persist-to', stateDir, '--yes', '--command', command],
    { encoding: 'utf8', env: { ...serviceEnvironment({}), WRANGLER_SEND_METRICS: 'false' } },
  );
  if (status !== 0) throw new Error(`no keys were made: ${stderr}`);
  return made.map(({ key }) => key);
}
