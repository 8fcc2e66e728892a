/** The D1 store of sessions. It contains the hash of each cookie and the account of its session. */
import type { SessionRecord, SessionStore } from '../core/session-store.ts';
import { D1Store } from './d1-store.ts';
import { deletePortions } from './in-portions.ts';

const COLUMNS =
  'id, account_id AS accountId, browser, created_at AS createdAt, expires_at AS expiresAt, passkey_at AS passkeyAt';

export class D1Sessions extends D1Store implements SessionStore {
  async create(hash: string, session: SessionRecord): Promise<void> {
    const { id, accountId, browser, createdAt, expiresAt, passkeyAt } = session;
    await this.run(
      'INSERT INTO sessions (hash, id, account_id, browser, created_at, expires_at, passkey_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
      [hash, id, accountId, browser, createdAt, expiresAt, passkeyAt],
    );
  }

  find(hash: string, now: number): Promise<SessionRecord | null> {
    return this.first<SessionRecord>(
      `SELECT ${COLUMNS} FROM sessions WHERE hash = ? AND expires_at > ?`,
      [hash, now],
    );
  }

  async list(accountId: string, now: number): Promise<SessionRecord[]> {
    return this.all<SessionRecord>(
      `SELECT ${COLUMNS} FROM sessions WHERE account_id = ? AND expires_at > ? ORDER BY created_at DESC`,
      [accountId, now],
    );
  }

  async end(hash: string): Promise<void> {
    await this.run('DELETE FROM sessions WHERE hash = ?', [hash]);
  }

  async revoke(id: string, accountId: string): Promise<void> {
    await this.run('DELETE FROM sessions WHERE id = ? AND account_id = ?', [id, accountId]);
  }

  async cleanUp(now: number): Promise<void> {
    await deletePortions(this.database, 'sessions', 'hash', 'expires_at <= ?1', now);
  }
}
