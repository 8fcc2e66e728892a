/**
 * The D1 store of usage. It has one row per key, account, day and tool, and also contains the latest refused calls.
 * Rows with neither a key nor an account count the calls of anonymous callers.
 */

import { DAY_MS, periodOf } from '../core/calendar.ts';
import type {
  DayUsage,
  RefusedCall,
  Spent,
  UsageEntry,
  UsageStore,
  UsageSubject,
} from '../core/usage-store.ts';
import { deletePortions } from './in-portions.ts';

const RETENTION_DAYS = 400;
const REFUSAL_RETENTION_DAYS = 30;
/** Limits the stored refusals per caller and batch, so that many refused calls cannot fill the database. */
const REFUSALS_IN_A_BATCH = 20;
/** The limit on stored refusals per account, or per key without an account. */
const MAX_STORED_REFUSALS = 100;
/** The number of rows per statement. It keeps the statement's bound value below D1's limit of 2 MB. */
const ROWS_A_STATEMENT = 500;

/**
 * Selects the rows of a batch, except those of deleted accounts. A late batch therefore does not restore their data.
 */
const GIVEN = `FROM json_each(?) WHERE value ->> 'accountId' = '' OR
  EXISTS (SELECT 1 FROM accounts WHERE id = value ->> 'accountId')`;
const COUNT = `INSERT INTO usage_by_day (day, key_id, account_id, tool, calls, refused, tokens)
  SELECT value ->> 'day', value ->> 'keyId', value ->> 'accountId', value ->> 'tool',
    value ->> 'calls', value ->> 'refused', value ->> 'tokens' ${GIVEN}
  ON CONFLICT DO UPDATE SET calls = calls + excluded.calls,
    refused = refused + excluded.refused, tokens = tokens + excluded.tokens`;
const REFUSE = `INSERT INTO refused_calls (at, key_id, account_id, tool, status, code, message)
  SELECT value ->> 'at', value ->> 'keyId', value ->> 'accountId', value ->> 'tool',
    value ->> 'status', value ->> 'code', value ->> 'message' ${GIVEN}`;
const forgetEarlier = (column: 'key_id' | 'account_id') =>
  `DELETE FROM refused_calls WHERE id IN (SELECT id FROM
     (SELECT id, row_number() OVER (PARTITION BY ${column} ORDER BY id DESC) AS place
      FROM refused_calls WHERE ${column} IN (SELECT value FROM json_each(?)))
   WHERE place > ${MAX_STORED_REFUSALS})`;

export class D1Usage implements UsageStore {
  readonly #database: D1Database;

  constructor(database: D1Database) {
    this.#database = database;
  }

  async add(entries: readonly UsageEntry[]): Promise<void> {
    const refusals = latestRefusals(
      entries.filter(({ keyId, accountId }) => keyId !== null || accountId !== null),
    );
    const owners = (ids: string[]) => [[...new Set(ids.filter((id) => id !== ''))]];
    const trialKeys = refusals.filter(({ accountId }) => accountId === '');
    const write = (sql: string, values: readonly (readonly unknown[])[]) =>
      values
        .filter(({ length }) => length > 0)
        .map((value) => this.#database.prepare(sql).bind(JSON.stringify(value)));
    await this.#database.batch([
      ...write(COUNT, portions(sums(entries))),
      ...write(REFUSE, portions(refusals)),
      ...write(forgetEarlier('account_id'), owners(refusals.map(({ accountId }) => accountId))),
      ...write(forgetEarlier('key_id'), owners(trialKeys.map(({ keyId }) => keyId))),
    ]);
  }

  async days(subject: UsageSubject, firstDay: string): Promise<DayUsage[]> {
    const { results } = await this.#database
      .prepare(
        `SELECT day, tool, sum(calls) AS calls, sum(refused) AS refused, sum(tokens) AS tokens
         FROM usage_by_day WHERE ${columnOf(subject)} = ? AND day >= ?
         GROUP BY day, tool ORDER BY day, tool`,
      )
      .bind(idIn(subject), firstDay)
      .all<DayUsage>();
    return results;
  }

  async spent(subject: UsageSubject, now: number): Promise<Spent[]> {
    const today = dayOf(now);
    const { results } = await this.#database
      .prepare(
        `SELECT nullif(key_id, '') AS keyId, sum(iif(day = ?1, calls, 0)) AS requestsToday,
           sum(tokens) AS tokensThisMonth
         FROM usage_by_day WHERE ${columnOf(subject)} = ?2 AND day >= ?3 GROUP BY key_id`,
      )
      .bind(today, idIn(subject), `${today.slice(0, 7)}-01`)
      .all<Spent>();
    return results;
  }

  async refused(subject: UsageSubject, atMost: number): Promise<RefusedCall[]> {
    const { results } = await this.#database
      .prepare(
        `SELECT at, nullif(key_id, '') AS keyId, tool, status, code, message
         FROM refused_calls WHERE ${columnOf(subject)} = ? ORDER BY id DESC LIMIT ?`,
      )
      .bind(idIn(subject), atMost)
      .all<RefusedCall>();
    return results;
  }

  async cleanUp(now: number): Promise<void> {
    const key = 'key_id, account_id, day, tool';
    const oldest = dayOf(now - RETENTION_DAYS * DAY_MS);
    const oldestRefusal = now - REFUSAL_RETENTION_DAYS * DAY_MS;
    await deletePortions(this.#database, 'usage_by_day', key, 'day < ?1', oldest);
    await deletePortions(this.#database, 'refused_calls', 'id', 'at < ?1', oldestRefusal);
  }
}

const columnOf = (subject: UsageSubject) => ('keyId' in subject ? 'key_id' : 'account_id');
const idIn = (subject: UsageSubject) => ('keyId' in subject ? subject.keyId : subject.accountId);

const dayOf = (time: number) => periodOf('day', time).name;

/** Returns one row for each key, account, day and tool of a batch. */
function sums(entries: readonly UsageEntry[]) {
  const rows = new Map<string, DayUsage & { keyId: string; accountId: string }>();
  for (const entry of entries) {
    const keyId = entry.keyId ?? '';
    const accountId = entry.accountId ?? '';
    const day = dayOf(entry.at);
    const counterKey = JSON.stringify([day, keyId, accountId, entry.tool]);
    let row = rows.get(counterKey);
    if (!row) {
      row = { day, keyId, accountId, tool: entry.tool, calls: 0, refused: 0, tokens: 0 };
      rows.set(counterKey, row);
    }
    if (entry.refused) row.refused += 1;
    else row.calls += entry.calls ?? 1;
    row.tokens += entry.tokens ?? 0;
  }
  return [...rows.values()];
}

type Refusal = UsageEntry & { refused: NonNullable<UsageEntry['refused']> };

/** Returns the latest refusals of each caller in a batch as database rows, oldest first. */
function latestRefusals(entries: readonly UsageEntry[]) {
  const seen = new Map<string, number>();
  const latest = entries
    .filter((entry): entry is Refusal => entry.refused !== undefined)
    .reverse()
    .filter(({ keyId, accountId }) => {
      const number = (seen.get(`${keyId} ${accountId}`) ?? 0) + 1;
      seen.set(`${keyId} ${accountId}`, number);
      return number <= REFUSALS_IN_A_BATCH;
    });
  return latest.reverse().map(({ at, keyId, accountId, tool, refused }) => ({
    at,
    keyId: keyId ?? '',
    accountId: accountId ?? '',
    tool,
    status: refused.status,
    code: refused.code,
    message: refused.message.slice(0, 300),
  }));
}

function portions<Row>(rows: readonly Row[]): Row[][] {
  const count = Math.ceil(rows.length / ROWS_A_STATEMENT);
  return Array.from({ length: count }, (_, index) =>
    rows.slice(index * ROWS_A_STATEMENT, (index + 1) * ROWS_A_STATEMENT),
  );
}
