/**
 * The D1 store of blocks, abuse reports and operator actions. It also stores the changes that operators make to keys
 * and short links.
 */
import { DAY_MS, HOUR_MS } from '../core/calendar.ts';
import {
  type AbuseReport,
  type AdminAction,
  type Block,
  MAKER_KEY_LIFE_MS,
  MAKER_LIFE_MS,
  type MakerKey,
  type ModerationStore,
  type Quotas,
  type ShortLink,
  type Snapshot,
} from '../core/moderation.ts';
import { D1Store } from './d1-store.ts';
import { deletePortions, inPortions, PORTION } from './in-portions.ts';

/** The maximum number of blocks that are enforced, and of changed keys that are reported. */
const MAX_BLOCKS = 5000;
/**
 * The maximum age of the key changes that are reported to the keys' Durable Objects, in milliseconds. Older changes
 * need no notification, because a key's object reads the key again after an hour.
 */
const CHANGED_KEYS_MS = 2 * HOUR_MS;
const CLOSED_REPORTS_MS = 90 * DAY_MS;
const ACTS_MS = 400 * DAY_MS;
/** How long an expired block stays in the database, in milliseconds. */
const EXPIRED_BLOCKS_MS = 30 * DAY_MS;

const LINK = 'code, url, created_at AS createdAt, visits, maker, removed, warned';
const REPORT =
  'id, subject, reason, details, contact, created_at AS createdAt, closed_at AS closedAt';

export class D1Moderation extends D1Store implements ModerationStore {
  readonly #links: D1Database;

  /** `links` is the database with the short links. */
  constructor(database: D1Database, links: D1Database) {
    super(database);
    this.#links = links;
  }

  async snapshot(now: number): Promise<Snapshot> {
    const { replica } = this;
    const [blocks, keys, changed] = await replica.batch([
      replica
        .prepare(
          `SELECT kind, value, note, created_at AS createdAt, expires_at AS expiresAt FROM blocks
           WHERE expires_at IS NULL OR expires_at > ? LIMIT ?`,
        )
        .bind(now, MAX_BLOCKS),
      this.#makerKeys(replica, now),
      replica
        .prepare(
          `SELECT substr(subject, length('key:') + 1) AS key, max(id) AS act FROM admin_acts
           WHERE at > ? AND subject LIKE 'key:%' GROUP BY subject LIMIT ?`,
        )
        .bind(now - CHANGED_KEYS_MS, MAX_BLOCKS),
    ]);
    const makerKeys = keys!.results as MakerKey[];
    const newest = makerKeys[0]?.createdAt ?? 0;
    return {
      blocks: blocks!.results as Block[],
      changedKeys: changed!.results as Snapshot['changedKeys'],
      makerKeys: newest > now - MAKER_KEY_LIFE_MS ? makerKeys : await this.#newMakerKey(now),
    };
  }

  #makerKeys(database: Pick<D1Database, 'prepare'>, now: number): D1PreparedStatement {
    return database
      .prepare(
        `SELECT id, secret, created_at AS createdAt FROM maker_keys WHERE created_at > ?
         ORDER BY id DESC`,
      )
      .bind(now - MAKER_KEY_LIFE_MS - MAKER_LIFE_MS);
  }

  /** Creates a maker key. If two isolates do this at the same time, both use the key that was created first. */
  async #newMakerKey(now: number): Promise<MakerKey[]> {
    const [, keys] = await this.database.batch([
      this.bound(
        `INSERT INTO maker_keys (secret, created_at) SELECT ?1, ?2
           WHERE NOT EXISTS (SELECT 1 FROM maker_keys WHERE created_at > ?3)`,
        [
          btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32)))),
          now,
          now - MAKER_KEY_LIFE_MS,
        ],
      ),
      this.#makerKeys(this.database, now),
    ]);
    return keys!.results as MakerKey[];
  }

  link(code: string): Promise<ShortLink | null> {
    return this.#links
      .prepare(`SELECT ${LINK} FROM short_links WHERE code = ?`)
      .bind(code)
      .first<ShortLink>();
  }

  async newestLinks(most: number, makers?: readonly string[]): Promise<ShortLink[]> {
    const ofMakers = makers ? 'AND maker IN (SELECT value FROM json_each(?2))' : '';
    const { results } = await this.#links
      .prepare(
        `SELECT ${LINK} FROM short_links WHERE maker IS NOT NULL ${ofMakers}
         ORDER BY created_at DESC LIMIT ?1`,
      )
      .bind(...(makers ? [most, JSON.stringify(makers)] : [most]))
      .all<ShortLink>();
    return results;
  }

  async accountsNamed(name: string): Promise<{ id: string; name: string }[]> {
    return this.all<{ id: string; name: string }>(
      'SELECT id, name FROM accounts WHERE name = ? LIMIT 20',
      [name],
    );
  }

  async accountIds(after: string, most: number): Promise<string[]> {
    const results = await this.all<{ id: string }>(
      'SELECT id FROM accounts WHERE id > ? ORDER BY id LIMIT ?',
      [after, most],
    );
    return results.map(({ id }) => id);
  }

  async keyIds(display: string): Promise<string[]> {
    const results = await this.all<{ id: string }>(
      'SELECT id FROM api_keys WHERE display = ?1 OR previous_display = ?1 LIMIT 20',
      [display],
    );
    return results.map(({ id }) => id);
  }

  async addReport(report: AbuseReport, mostOpen: number): Promise<boolean> {
    return this.changes(
      `INSERT INTO abuse_reports (id, subject, reason, details, contact, created_at)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6
         WHERE (SELECT count(*) FROM abuse_reports WHERE closed_at IS NULL) < ?7`,
      [
        report.id,
        report.subject,
        report.reason,
        report.details,
        report.contact,
        report.createdAt,
        mostOpen,
      ],
    );
  }

  report(id: string): Promise<AbuseReport | null> {
    return this.first<AbuseReport>(`SELECT ${REPORT} FROM abuse_reports WHERE id = ?`, [id]);
  }

  openReports(most: number): Promise<AbuseReport[]> {
    return this.#reports('closed_at IS NULL ORDER BY created_at', [], most);
  }

  reportsOn(subject: string, most: number): Promise<AbuseReport[]> {
    return this.#reports('subject = ? ORDER BY created_at DESC', [subject], most);
  }

  async #reports(where: string, values: string[], most: number): Promise<AbuseReport[]> {
    return this.all<AbuseReport>(`SELECT ${REPORT} FROM abuse_reports WHERE ${where} LIMIT ?`, [
      ...values,
      most,
    ]);
  }

  async acts(most: number, subject?: string): Promise<AdminAction[]> {
    const which = subject === undefined ? '' : 'WHERE subject = ?2';
    return this.all<AdminAction>(
      `SELECT at, who, act, subject, note FROM admin_acts ${which} ORDER BY id DESC LIMIT ?1`,
      subject === undefined ? [most] : [most, subject],
    );
  }

  async record(act: AdminAction): Promise<void> {
    await this.#recording(act, '1').run();
  }

  async markLink(
    code: string,
    { removed, warned }: Pick<ShortLink, 'removed' | 'warned'>,
    act: AdminAction,
  ): Promise<boolean> {
    if (!(await this.link(code))) return false;
    // The record is in another database. It is written first, so that no link changes without a record.
    await this.record(act);
    await this.#links
      .prepare('UPDATE short_links SET removed = ?, warned = ? WHERE code = ?')
      .bind(removed, warned, code)
      .run();
    return true;
  }

  block({ kind, value, note, createdAt, expiresAt }: Block, act: AdminAction): Promise<boolean> {
    return this.#change(
      this.bound(
        `INSERT INTO blocks (kind, value, note, created_at, expires_at) VALUES (?1, ?2, ?3, ?4, ?5)
           ON CONFLICT DO UPDATE SET note = ?3, created_at = ?4, expires_at = ?5`,
        [kind, value, note, createdAt, expiresAt],
      ),
      act,
    );
  }

  unblock({ kind, value }: Pick<Block, 'kind' | 'value'>, act: AdminAction): Promise<boolean> {
    return this.#change(
      this.bound('DELETE FROM blocks WHERE kind = ? AND value = ?', [kind, value]),
      act,
    );
  }

  revokeKey(id: string, act: AdminAction): Promise<boolean> {
    return this.#change(
      this.bound('UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL', [
        act.at,
        id,
      ]),
      act,
    );
  }

  setQuotas(keyId: string, quotas: Quotas, act: AdminAction): Promise<boolean> {
    return this.#change(
      this.bound(
        `UPDATE api_keys SET requests_per_day = ?, tokens_per_month = ?, bytes_per_day = ?
           WHERE id = ?`,
        [quotas.requestsPerDay, quotas.tokensPerMonth, quotas.bytesPerDay, keyId],
      ),
      act,
    );
  }

  closeReport(id: string, act: AdminAction): Promise<boolean> {
    return this.#change(
      this.bound('UPDATE abuse_reports SET closed_at = ? WHERE id = ? AND closed_at IS NULL', [
        act.at,
        id,
      ]),
      act,
    );
  }

  async cleanUp(now: number): Promise<void> {
    const database = this.database;
    const remove = (table: string, column: string, before: number) =>
      deletePortions(database, table, 'id', `${column} <= ?1`, before);
    await inPortions(
      this.#links
        .prepare(
          `UPDATE short_links SET maker = NULL WHERE code IN (SELECT code FROM short_links
           WHERE maker IS NOT NULL AND created_at <= ? LIMIT ${PORTION})`,
        )
        .bind(now - MAKER_LIFE_MS),
    );
    await remove('abuse_reports', 'closed_at', now - CLOSED_REPORTS_MS);
    await remove('admin_acts', 'at', now - ACTS_MS);
    // These tables are small, so their rows are not deleted in portions.
    await database.batch([
      this.bound('DELETE FROM maker_keys WHERE created_at <= ?', [
        now - MAKER_KEY_LIFE_MS - MAKER_LIFE_MS,
      ]),
      this.bound('DELETE FROM blocks WHERE expires_at <= ?', [now - EXPIRED_BLOCKS_MS]),
    ]);
  }

  /** Makes a change and records its action in one batch. Returns false if nothing changed. */
  async #change(change: D1PreparedStatement, act: AdminAction): Promise<boolean> {
    const [changed] = await this.database.batch([change, this.#recording(act, 'changes() > 0')]);
    return changed!.meta.changes > 0;
  }

  #recording({ at, who, act, subject, note }: AdminAction, condition: string): D1PreparedStatement {
    return this.bound(
      `INSERT INTO admin_acts (at, who, act, subject, note) SELECT ?, ?, ?, ?, ? WHERE ${condition}`,
      [at, who, act, subject, note],
    );
  }
}
