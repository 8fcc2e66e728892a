/**
 * Creates, lists and revokes the API keys of operators' accounts. Uses the local service or, with --remote, the
 * deployed one.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type EnvironmentName, environmentNamed } from './deployment/environment-bindings.ts';
import { openDatabase } from './local-database.ts';
import { splitStatements } from './migrate.ts';
import { makeOperatorKey, USAGE } from './operator-key.ts';
import { keyLine, listSql, revokeSql, type StoredKey } from './stored-keys.ts';

if (existsSync('.env')) process.loadEnvFile('.env');
const stateDir = process.env.STATE_DIR || '.wrangler/state';

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
      env: { type: 'string', default: 'production' },
      help: { type: 'boolean' },
    },
  });
  const now = Date.now();
  const remote = values.remote ? environmentNamed(values.env) : null;
  if (values.help) {
    console.log(USAGE);
  } else if (values.list) {
    const stored = run(listSql(values.account), remote);
    if (stored.length === 0) console.error('No keys found.');
    for (const key of stored) console.log(keyLine(key, now));
  } else if (values.revoke !== undefined) {
    const revoked = run(revokeSql(values.revoke, now), remote);
    if (revoked.length === 0) {
      throw new Error(`No active key matches ${values.revoke}. --list shows the keys.`);
    }
    for (const key of revoked) console.log(keyLine(key, now));
    const within = remote ? 'a minute' : '5 seconds';
    console.error(`Revoked. Revoked keys stop working everywhere within ${within}.`);
  } else {
    const { key, sql, summary } = await makeOperatorKey(values, now);
    run(sql, remote);
    console.error(`${summary}. The key is shown only once:`);
    console.log(key);
  }
} catch (error) {
  console.error(`${(error as Error).message}\n\n${USAGE}`);
  process.exitCode = 1;
}

/**
 * Runs the statements on the database of the environment `remote`, or on the local database. Returns the rows of the
 * first statement.
 */
function run(sql: string, remote: EnvironmentName | null): StoredKey[] {
  try {
    return remote ? runRemotely(sql, remote) : runLocally(sql);
  } catch (error) {
    if (!/no such table|no database with/.test(String(error))) throw error;
    const first = remote
      ? `npm run deploy -- --env ${remote}`
      : `npm start (with the same STATE_DIR; this was ${stateDir})`;
    throw new Error(`The database has no accounts yet. Run this first: ${first}`);
  }
}

function runLocally(sql: string): StoredKey[] {
  const database = openDatabase(stateDir);
  try {
    const rows = splitStatements(sql).map((statement) => database.prepare(statement).all());
    return (rows[0] ?? []) as unknown as StoredKey[];
  } finally {
    database.close();
  }
}

function runRemotely(sql: string, remote: EnvironmentName): StoredKey[] {
  const { status, stdout, stderr } = spawnSync(
    'wrangler',
    ['d1', 'execute', 'ACCOUNTS', '--remote', '--env', remote, '--yes', '--json', '--command', sql],
    { encoding: 'utf8', env: { ...process.env, WRANGLER_SEND_METRICS: 'false' } },
  );
  if (status === 0) return JSON.parse(stdout)[0]?.results ?? [];
  throw new Error(`wrangler could not write to the database.\n${stdout ?? ''}${stderr ?? ''}`);
}
