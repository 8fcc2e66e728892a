/** The store of sessions on D1: the hash of a cookie and its account. */
import type { SessionRecord, SessionStore } from '../core/session-store.ts';
import { deletePortions } from './in-portions.ts';

const COLUMNS =
  'id, account_id AS accountId, browser, created_at AS createdAt, expires_at AS expiresAt, passkey_at AS passkeyAt';

export class D1Sessions implements SessionStore {
  readonly #database: D1Database;

  constructor(database: D1Database) {
    this.#database = database;
  }

  async create(hash: string, session: SessionRecord): Promise<void> {
    const { id, accountId, browser, createdAt, expiresAt, passkeyAt } = session;
    await this.#database
      .prepare(
        'INSERT INTO sessions (hash, id, account_id, browser, created_at, expires_at, passkey_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
      )
      .bind(hash, id, accountId, browser, createdAt, expiresAt, passkeyAt)
      .run();
  }

  find(hash: string, now: number): Promise<SessionRecord | null> {
    return this.#database
      .prepare(`SELECT ${COLUMNS} FROM sessions WHERE hash = ? AND expires_at > ?`)
      .bind(hash, now)
      .first<SessionRecord>();
  }

  async list(accountId: string, now: number): Promise<SessionRecord[]> {
    const { results } = await this.#database
      .prepare(
        `SELECT ${COLUMNS} FROM sessions WHERE account_id = ? AND expires_at > ? ORDER BY created_at DESC`,
      )
      .bind(accountId, now)
      .all<SessionRecord>();
    return results;
  }

  async end(hash: string): Promise<void> {
    await this.#database.prepare('DELETE FROM sessions WHERE hash = ?').bind(hash).run();
  }

  async revoke(id: string, accountId: string): Promise<void> {
    await this.#database
      .prepare('DELETE FROM sessions WHERE id = ? AND account_id = ?')
      .bind(id, accountId)
      .run();
  }

  async cleanUp(now: number): Promise<void> {
    await deletePortions(this.#database, 'sessions', 'hash', 'expires_at <= ?1', now);
  }
}
