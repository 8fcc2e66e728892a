/** Usage on D1: a row for each key, account, day and tool, and the latest refused calls. */
import type {
  DayUsage,
  RefusedCall,
  Spent,
  UsageEntry,
  UsageStore,
  UsageSubject,
} from '../core/usage-store.ts';

const DAY = 86_400_000;
const DAYS_KEPT = 400;
const REFUSALS_KEPT_DAYS = 30;
/** Of one caller in one batch: who hammers at a closed door does not fill the database. */
const REFUSALS_IN_A_BATCH = 20;

/** A deleted account is not counted for: nothing of it may come back with a late batch. */
const EXISTS = "?3 = '' OR EXISTS (SELECT 1 FROM accounts WHERE id = ?3)";

export class D1Usage implements UsageStore {
  readonly #database: D1Database;

  constructor(database: D1Database) {
    this.#database = database;
  }

  async add(entries: readonly UsageEntry[]): Promise<void> {
    const known = entries.filter((entry) => entry.keyId !== null || entry.accountId !== null);
    if (known.length === 0) return;
    const count = this.#database.prepare(
      `INSERT INTO usage_by_day (day, key_id, account_id, tool, calls, refused, tokens)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE ${EXISTS}
       ON CONFLICT DO UPDATE SET calls = calls + excluded.calls,
         refused = refused + excluded.refused, tokens = tokens + excluded.tokens`,
    );
    const refuse = this.#database.prepare(
      `INSERT INTO refused_calls (at, key_id, account_id, tool, status, code, message)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE ${EXISTS}`,
    );
    await this.#database.batch([
      ...sums(known).map((sum) =>
        count.bind(sum.day, sum.keyId, sum.accountId, sum.tool, sum.calls, sum.refused, sum.tokens),
      ),
      ...latestRefusals(known).map(({ at, keyId, accountId, tool, refused }) =>
        refuse.bind(
          at,
          keyId ?? '',
          accountId ?? '',
          tool,
          refused.status,
          refused.code,
          refused.message.slice(0, 300),
        ),
      ),
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
    await this.#database.batch([
      this.#database
        .prepare('DELETE FROM usage_by_day WHERE day < ?')
        .bind(dayOf(now - DAYS_KEPT * DAY)),
      this.#database
        .prepare('DELETE FROM refused_calls WHERE at < ?')
        .bind(now - REFUSALS_KEPT_DAYS * DAY),
    ]);
  }
}

const columnOf = (subject: UsageSubject) => ('keyId' in subject ? 'key_id' : 'account_id');
const idIn = (subject: UsageSubject) => ('keyId' in subject ? subject.keyId : subject.accountId);

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/** One row for each key, account, day and tool of a batch. */
function sums(entries: readonly UsageEntry[]) {
  const rows = new Map<string, DayUsage & { keyId: string; accountId: string }>();
  for (const entry of entries) {
    const keyId = entry.keyId ?? '';
    const accountId = entry.accountId ?? '';
    const day = dayOf(entry.at);
    const place = JSON.stringify([day, keyId, accountId, entry.tool]);
    let row = rows.get(place);
    if (!row) {
      row = { day, keyId, accountId, tool: entry.tool, calls: 0, refused: 0, tokens: 0 };
      rows.set(place, row);
    }
    if (entry.refused) row.refused += 1;
    else row.calls += entry.calls ?? 1;
    row.tokens += entry.tokens ?? 0;
  }
  return [...rows.values()];
}

type Refusal = UsageEntry & { refused: NonNullable<UsageEntry['refused']> };

function latestRefusals(entries: readonly UsageEntry[]): Refusal[] {
  const seen = new Map<string, number>();
  const latest = entries
    .filter((entry): entry is Refusal => entry.refused !== undefined)
    .reverse()
    .filter(({ keyId, accountId }) => {
      const number = (seen.get(`${keyId} ${accountId}`) ?? 0) + 1;
      seen.set(`${keyId} ${accountId}`, number);
      return number <= REFUSALS_IN_A_BATCH;
    });
  return latest.reverse();
}
