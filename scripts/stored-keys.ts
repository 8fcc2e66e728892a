/** Builds the SQL that lists and revokes operators' keys, and formats the list for printing. */
import { accountIdOf, quoted } from './operator-key.ts';

/** A key as returned by `listSql` and `revokeSql`. */
export interface StoredKey {
  id: string;
  display: string;
  account: string;
  name: string;
  requests_per_day: number;
  tokens_per_month: number;
  bytes_per_day: number;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
}

const COLUMNS = `id, display, substr(account_id, length('operator:') + 1) AS account, name, requests_per_day,
  tokens_per_month, bytes_per_day, created_at, expires_at, revoked_at, last_used_at`;

/**
 * Builds the SQL that selects all operators' keys or those of one operator's account, newest first. Throws if the name
 * is invalid.
 */
export function listSql(account: string | undefined): string {
  const whose =
    account === undefined
      ? "account_id >= 'operator:' AND account_id < 'operator;'"
      : `account_id = ${quoted(accountIdOf(account))}`;
  return `SELECT ${COLUMNS} FROM api_keys WHERE ${whose} ORDER BY created_at DESC, id`;
}

/**
 * Builds the SQL that revokes and returns the operator's key with this ID, or with these first 8 and last 4 characters.
 * A second statement records the revocation, so that running services notice it.
 */
export function revokeSql(words: string, now: number): string {
  const which = words.trim().replace('...', '…');
  if (which === '')
    throw new Error('--revoke must be a key ID, or a shortened key such as tsk_abcd…wxyz.');
  // A whole key is shortened, so that wrangler's command line does not contain it.
  const display = /^tsk_\w{38}$/.test(which) ? `${which.slice(0, 8)}…${which.slice(-4)}` : which;
  return `UPDATE api_keys SET revoked_at = ${now}
    WHERE account_id >= 'operator:' AND account_id < 'operator;' AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > ${now})
      AND (id = ${quoted(which)} OR display = ${quoted(display)} OR
        (previous_display = ${quoted(display)} AND previous_expires_at > ${now}))
    RETURNING ${COLUMNS};
    INSERT INTO admin_acts (at, who, act, subject, note)
    SELECT ${now}, 'shell', 'revoke', 'key:' || id, 'npm run key' FROM api_keys
    WHERE revoked_at = ${now} AND account_id >= 'operator:' AND account_id < 'operator;';`;
}

/** Formats a key as one line of the list. */
export function keyLine(key: StoredKey, now: number): string {
  const day = (time: number | null) =>
    time === null ? 'never' : new Date(time).toISOString().slice(0, 16).replace('T', ' ');
  const ended = key.expires_at !== null && key.expires_at <= now;
  const state = key.revoked_at !== null ? 'revoked' : ended ? 'expired' : 'active';
  return [
    key.display,
    state,
    key.account,
    key.name,
    `${key.requests_per_day} requests per day`,
    `${key.tokens_per_month} tokens per month`,
    `${key.bytes_per_day} stored bytes per day`,
    `made ${day(key.created_at)}`,
    `expires ${day(key.expires_at)}`,
    `last used ${day(key.last_used_at)}`,
    key.id,
  ].join('\t');
}
