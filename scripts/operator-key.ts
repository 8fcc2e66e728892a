/** Checks the options of `npm run key`, and builds the statements that create an operator's key. */
import { randomUUID } from 'node:crypto';
import { makeKey, QUOTAS, storedFormOf } from '../src/access/api-keys.ts';
import { parseKeyExpiry } from '../src/access/key-expiry.ts';
import { givenName } from '../src/core/given-name.ts';

export const USAGE = `Usage: npm run key -- --account NAME [--name TEXT] [--requests-per-day N] [--tokens-per-month N]
                   [--bytes-per-day N] [--expires DATE] [--remote [--env NAME]]
       npm run key -- --list [--account NAME] [--remote [--env NAME]]
       npm run key -- --revoke KEY [--remote [--env NAME]]

  --account   the key's account; created if it does not exist
  --name      the key's name in lists (default: operator key)
  --bytes-per-day  bytes it may store in a day (default: 10 GB)
  --expires   2027-01-31 (to the end of that day, UTC), or 2027-01-31T12:00:00Z; by default the key does not expire
  --list      prints these keys, one per line, with their IDs
  --revoke    revokes such a key by its ID, or by its first 8 and last 4 characters as listed (tsk_abcd…wxyz)
  --remote    uses the deployed database instead of the local service's (STATE_DIR)
  --env       the environment of that database: staging, or production by default`;

/** The prefix that distinguishes operators' accounts from users' accounts, whose names are not unique. */
const OPERATOR = 'operator:';

export interface KeyWords {
  account?: string | undefined;
  name?: string | undefined;
  'requests-per-day'?: string | undefined;
  'tokens-per-month'?: string | undefined;
  'bytes-per-day'?: string | undefined;
  expires?: string | undefined;
}

/** Returns a new key and the SQL that stores it. Throws an error that names the invalid argument. */
export async function makeOperatorKey(words: KeyWords, now: number) {
  const accountId = accountIdOf(words.account);
  const account = accountId.slice(OPERATOR.length);
  const name = nameOf(words.name ?? 'operator key', 'name');
  const requests = countOf(words, 'requests-per-day', QUOTAS.persistent.requestsPerDay);
  const tokens = countOf(words, 'tokens-per-month', QUOTAS.persistent.tokensPerMonth);
  const bytes = countOf(words, 'bytes-per-day', QUOTAS.persistent.bytesPerDay);
  const expiresAt = endOf(words.expires, now);
  const key = makeKey();
  const { hash, display } = await storedFormOf(key);
  const values = [randomUUID(), accountId, 'persistent', name, hash, display].map(quoted);
  const sql = [
    `INSERT INTO accounts (id, name, created_at) VALUES (${quoted(accountId)}, ${quoted(account)}, ${now}) ON CONFLICT DO NOTHING`,
    `INSERT INTO api_keys (id, account_id, kind, name, hash, display, requests_per_day, tokens_per_month, bytes_per_day, expires_at, created_at)
     VALUES (${values.join(', ')}, ${requests}, ${tokens}, ${bytes}, ${expiresAt ?? 'NULL'}, ${now})`,
  ].join(';\n');
  const end = expiresAt === null ? '' : `, until ${new Date(expiresAt).toISOString()}`;
  const summary = `A key for ${account}: ${requests} requests per day, ${tokens} model tokens per month, ${bytes} stored bytes per day${end}`;
  return { key, sql, summary };
}

/** Returns the account ID for this name. */
export const accountIdOf = (name: string | undefined): string => OPERATOR + nameOf(name, 'account');

function nameOf(text: string | undefined, option: string): string {
  const name = givenName(text);
  if (name === null) {
    throw new Error(`--${option} must have 1 to 60 characters and no control characters.`);
  }
  return name;
}

function countOf(
  words: KeyWords,
  option: 'requests-per-day' | 'tokens-per-month' | 'bytes-per-day',
  otherwise: number,
): number {
  const text = words[option];
  if (text === undefined) return otherwise;
  if (!/^\d{1,15}$/.test(text)) throw new Error(`--${option} must be a whole number.`);
  return Number(text);
}

function endOf(text: string | undefined, now: number): number | null {
  if (text === undefined) return null;
  const given = parseKeyExpiry(text, now);
  if ('wrong' in given) throw new Error(`--expires ${given.wrong}.`);
  return given.end;
}

/** Quotes a string for SQL. */
export const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
