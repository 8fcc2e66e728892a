/** The D1 store of API keys. A row is found by the key's hash or, after a rotation, by the previous hash. */

import { DAY_MS } from '../core/calendar.ts';
import type {
  Creation,
  FoundKey,
  KeyBounds,
  KeyKind,
  KeyRecord,
  KeyStore,
  NewKey,
} from '../core/key-store.ts';
import { deletePortions } from './in-portions.ts';

interface Row {
  id: string;
  account_id: string | null;
  kind: KeyKind;
  name: string;
  hash: string;
  display: string;
  previous_display: string | null;
  previous_expires_at: number | null;
  requests_per_day: number;
  tokens_per_month: number;
  bytes_per_day: number;
  created_at: number;
  rotated_at: number | null;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
}

const WORKS = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)';

export class D1Keys implements KeyStore {
  readonly #database: D1Database;

  constructor(database: D1Database) {
    this.#database = database;
  }

  async find(hash: string): Promise<FoundKey | null> {
    // Makes two index lookups, because an OR over two columns would cause a scan in some query plans.
    const row = await this.#database
      .prepare(
        'SELECT * FROM api_keys WHERE hash = ?1 UNION ALL SELECT * FROM api_keys WHERE previous_hash = ?1 LIMIT 1',
      )
      .bind(hash)
      .first<Row>();
    return row && { ...recordOf(row), outdated: row.hash !== hash };
  }

  async get(id: string): Promise<KeyRecord | null> {
    const row = await this.#database
      .prepare('SELECT * FROM api_keys WHERE id = ?')
      .bind(id)
      .first<Row>();
    return row && recordOf(row);
  }

  async list(accountId: string): Promise<KeyRecord[]> {
    const { results } = await this.#database
      .prepare('SELECT * FROM api_keys WHERE account_id = ? ORDER BY created_at DESC, id')
      .bind(accountId)
      .all<Row>();
    return results.map(recordOf);
  }

  async create(key: NewKey, now: number, bounds: KeyBounds): Promise<Creation> {
    const columns = `id, account_id, kind, name, hash, display, requests_per_day, tokens_per_month,
      expires_at, created_at, bytes_per_day`;
    const { meta } = await this.#database
      .prepare(
        // One statement checks the limits and inserts the key, so that concurrent calls cannot jointly exceed the
        // limits.
        `INSERT INTO api_keys (${columns}) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?14
         WHERE ?2 IS NULL OR (EXISTS (SELECT 1 FROM accounts WHERE id = ?2) AND
           (SELECT count(*) FROM api_keys WHERE account_id = ?2 AND ${WORKS.replace('?', '?10')}) < ?11 AND
           (SELECT count(*) FROM api_keys WHERE account_id = ?2 AND created_at > ?12) < ?13)
         ON CONFLICT (id) DO NOTHING`,
      )
      .bind(
        key.id,
        key.accountId,
        key.kind,
        key.name,
        key.hash,
        key.display,
        key.requestsPerDay,
        key.tokensPerMonth,
        key.expiresAt,
        now,
        bounds.working,
        now - DAY_MS,
        bounds.inADay,
        key.bytesPerDay,
      )
      .run();
    return meta.changes > 0 ? 'made' : this.#whyNotMade(key, now, bounds);
  }

  async #whyNotMade(key: NewKey, now: number, bounds: KeyBounds): Promise<Creation> {
    const found = await this.#database
      .prepare(
        `SELECT EXISTS (SELECT 1 FROM api_keys WHERE id = ?1) AS made,
           EXISTS (SELECT 1 FROM accounts WHERE id = ?2) AS account,
           (SELECT count(*) FROM api_keys WHERE account_id = ?2 AND ${WORKS.replace('?', '?3')}) AS working,
           (SELECT created_at FROM api_keys WHERE account_id = ?2 AND created_at > ?4
            ORDER BY created_at DESC LIMIT 1 OFFSET ?5) AS oldest`,
      )
      .bind(key.id, key.accountId, now, now - DAY_MS, bounds.inADay - 1)
      .first<{ made: number; account: number; working: number; oldest: number | null }>();
    if (found?.made) return 'made-before';
    if (!found?.account) return 'account-gone';
    if (found.working >= bounds.working) return 'too-many-working';
    return { againAt: (found.oldest ?? now - DAY_MS) + DAY_MS };
  }

  async revoke(id: string, accountId: string, now: number): Promise<boolean> {
    const { meta } = await this.#database
      .prepare(
        `UPDATE api_keys SET revoked_at = ? WHERE id = ? AND account_id = ? AND revoked_at IS NULL`,
      )
      .bind(now, id, accountId)
      .run();
    return meta.changes > 0;
  }

  async rotate(
    key: { id: string; accountId: string; rotatedAt: number | null },
    text: { hash: string; display: string },
    now: number,
    overlapEnds: number,
  ): Promise<boolean> {
    const { meta } = await this.#database
      .prepare(
        `UPDATE api_keys SET previous_hash = hash, previous_display = display, previous_expires_at = ?,
           hash = ?, display = ?, rotated_at = ?
         WHERE id = ? AND account_id = ? AND rotated_at IS ? AND ${WORKS}
           AND (previous_expires_at IS NULL OR previous_expires_at <= ?)`,
      )
      .bind(
        overlapEnds,
        text.hash,
        text.display,
        now,
        key.id,
        key.accountId,
        key.rotatedAt,
        now,
        now,
      )
      .run();
    return meta.changes > 0;
  }

  async endOverlap(id: string, accountId: string, now: number): Promise<boolean> {
    const { meta } = await this.#database
      .prepare(
        `UPDATE api_keys SET previous_expires_at = ?1
         WHERE id = ?2 AND account_id = ?3 AND previous_expires_at > ?1`,
      )
      .bind(now, id, accountId)
      .run();
    return meta.changes > 0;
  }

  async touchLastUsed(ids: readonly string[], now: number): Promise<void> {
    if (ids.length === 0) return;
    await this.#database
      .prepare(
        `UPDATE api_keys SET last_used_at = max(coalesce(last_used_at, 0), ?)
         WHERE id IN (SELECT value FROM json_each(?))`,
      )
      .bind(now, JSON.stringify(ids))
      .run();
  }

  async cleanUp(endedBefore: number): Promise<number> {
    let deleted = 0;
    // Each query has one condition, because an OR over two columns would cause a scan in some query plans.
    for (const column of ['revoked_at', 'expires_at'])
      deleted += await deletePortions(
        this.#database,
        'api_keys',
        'id',
        `${column} < ?1`,
        endedBefore,
      );
    return deleted;
  }
}

function recordOf(row: Row): KeyRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    kind: row.kind,
    name: row.name,
    display: row.display,
    requestsPerDay: row.requests_per_day,
    tokensPerMonth: row.tokens_per_month,
    bytesPerDay: row.bytes_per_day,
    createdAt: row.created_at,
    rotatedAt: row.rotated_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    previous:
      row.previous_display !== null && row.previous_expires_at !== null
        ? { display: row.previous_display, expiresAt: row.previous_expires_at }
        : null,
  };
}
