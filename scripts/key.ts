/**
 * Creates, lists and revokes the API keys of operators' accounts, in the local service or, with --remote, in the
 * deployed one.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { makeOperatorKey, USAGE } from './operator-key.ts';
import { keyLine, listSql, revokeSql, type StoredKey } from './stored-keys.ts';

if (existsSync('.env')) process.loadEnvFile('.env');

try {
  const { values } = parseArgs({
    options: {
      account: { type: 'string' },
      name: { type: 'string' },
      'requests-per-day': { type: 'string' },
      'tokens-per-month': { type: 'string' },
      'bytes-per-day': { type: 'string' },
      expires: { type: 'string' },
      list: { type: 'boolean' },
      revoke: { type: 'string' },
      remote: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  const now = Date.now();
  const remote = values.remote === true;
  if (values.help) {
    console.log(USAGE);
  } else if (values.list) {
    const stored = run(listSql(values.account), remote);
    if (stored.length === 0) console.error('There are no such keys.');
    for (const key of stored) console.log(keyLine(key, now));
  } else if (values.revoke !== undefined) {
    const revoked = run(revokeSql(values.revoke, now), remote);
    if (revoked.length === 0) {
      throw new Error(`No key that works is called ${values.revoke}. --list shows them.`);
    }
    for (const key of revoked) console.log(keyLine(key, now));
    console.error('Revoked: within 5 seconds it is refused everywhere.');
  } else {
    const { key, sql, summary } = await makeOperatorKey(values, now);
    run(sql, remote);
    console.error(`${summary}. This is the only time it is shown:`);
    console.log(key);
  }
} catch (error) {
  console.error(`${(error as Error).message}\n\n${USAGE}`);
  process.exitCode = 1;
}

/**
 * Runs the statements in D1 through wrangler, which knows the local files and the deployed database. Returns the rows
 * of the first one.
 */
function run(sql: string, remote: boolean): StoredKey[] {
  const stateDir = process.env.STATE_DIR || '.wrangler/state';
  const where = remote ? ['--remote'] : ['--local', '--persist-to', stateDir];
  const { status, stdout, stderr } = spawnSync(
    'wrangler',
    ['d1', 'execute', 'tools', ...where, '--yes', '--json', '--command', sql],
    { encoding: 'utf8', env: { ...process.env, WRANGLER_SEND_METRICS: 'false' } },
  );
  if (status === 0) return JSON.parse(stdout)[0]?.results ?? [];
  const said = `${stdout ?? ''}${stderr ?? ''}`;
  if (/no such table/.test(said)) {
    const first = remote
      ? 'npx wrangler d1 migrations apply tools --remote'
      : `npm start (with the same STATE_DIR; this was ${stateDir})`;
    throw new Error(`The database has no accounts yet. Run first: ${first}`);
  }
  throw new Error(`wrangler could not write to the database.\n${said}`);
}
