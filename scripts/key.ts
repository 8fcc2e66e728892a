/** Makes an API key for an operator's account, in the state of the local service or, with --remote, of the deployed one. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { makeOperatorKey, USAGE } from './operator-key.ts';

if (existsSync('.env')) process.loadEnvFile('.env');

try {
  const { values } = parseArgs({
    options: {
      account: { type: 'string' },
      name: { type: 'string' },
      'requests-per-day': { type: 'string' },
      'tokens-per-month': { type: 'string' },
      expires: { type: 'string' },
      remote: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    console.log(USAGE);
  } else {
    const { key, sql, summary } = await makeOperatorKey(values, Date.now());
    run(sql, values.remote === true);
    console.error(`${summary}. This is the only time it is shown:`);
    console.log(key);
  }
} catch (error) {
  console.error(`${(error as Error).message}\n\n${USAGE}`);
  process.exitCode = 1;
}

/** Hands the statements to D1 through wrangler, which knows both the local files and the deployed database. */
function run(sql: string, remote: boolean): void {
  const stateDir = process.env.STATE_DIR || '.wrangler/state';
  const where = remote ? ['--remote'] : ['--local', '--persist-to', stateDir];
  const { status, stdout, stderr } = spawnSync(
    'wrangler',
    ['d1', 'execute', 'tools', ...where, '--yes', '--json', '--command', sql],
    { encoding: 'utf8', env: { ...process.env, WRANGLER_SEND_METRICS: 'false' } },
  );
  if (status === 0) return;
  const said = `${stdout ?? ''}${stderr ?? ''}`;
  if (/no such table/.test(said)) {
    const first = remote
      ? 'npx wrangler d1 migrations apply tools --remote'
      : `npm start (with the same STATE_DIR; this was ${stateDir})`;
    throw new Error(`The database has no accounts yet. Run first: ${first}`);
  }
  throw new Error(`wrangler could not write to the database.\n${said}`);
}
