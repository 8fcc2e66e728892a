/**
 * The D1 store of accounts, with their passkeys, challenges, recovery codes, GitHub and single sign-on users, and logs
 * of webhook attempts.
 */
import type { Account, AccountStore, Challenge, Passkey } from '../core/account-store.ts';
import type { LoggedAttempt } from '../core/jobs.ts';
import { D1Store } from './d1-store.ts';
import { deletePortions } from './in-portions.ts';

interface PasskeyRow extends Omit<Passkey, 'transports'> {
  transports: string;
}

const PASSKEY_COLUMNS = `id, account_id AS accountId, name, public_key AS publicKey, counter, transports,
  created_at AS createdAt, last_used_at AS lastUsedAt`;

/** The maximum length of the log of webhook attempts, in characters. It has room for about 40 attempts. */
const MAX_LOGGED = 8000;

export class D1Accounts extends D1Store implements AccountStore {
  readonly #main: D1Database;

  /** `main` is the database that contains the accounts' uploads and agent files. */
  constructor(database: D1Database, main: D1Database) {
    super(database);
    this.#main = main;
  }

  async find(id: string): Promise<Account | null> {
    const row = await this.first<Account & { singleSignOn: number | boolean }>(
      `SELECT id, name, created_at AS createdAt,
           (SELECT login FROM github_users WHERE account_id = accounts.id) AS github,
           EXISTS (SELECT 1 FROM oidc_users WHERE account_id = accounts.id) AS singleSignOn,
           (SELECT count(*) FROM recovery_codes WHERE account_id = accounts.id) AS recoveryCodes,
           (SELECT max(created_at) FROM recovery_codes WHERE account_id = accounts.id) AS recoveryCodesMadeAt
         FROM accounts WHERE id = ?`,
      [id],
    );
    return row && { ...row, singleSignOn: Boolean(row.singleSignOn) };
  }

  async delete(id: string): Promise<void> {
    const run = (sql: string) => this.bound(sql, [id]);
    // Rows that reference the account are deleted with it (ON DELETE CASCADE).
    const from = (table: string, column: string) => run(`DELETE FROM ${table} WHERE ${column} = ?`);
    const keys = 'SELECT id FROM api_keys WHERE account_id = ?1';
    // The rows in `main` are deleted first. If a later step fails, the account still exists and can be deleted again.
    await this.#main.batch(
      [
        "DELETE FROM agent_files WHERE owner = 'account:' || ?",
        "DELETE FROM uploads WHERE agent = 'account:' || ?",
      ].map((sql) => this.#main.prepare(sql).bind(id)),
    );
    await this.database.batch([
      run(
        `DELETE FROM blocks WHERE (kind = 'account' AND value = ?1) OR (kind = 'key' AND value IN (${keys}))`,
      ),
      run(
        `UPDATE admin_acts SET subject = 'deleted account'
         WHERE subject = 'account:' || ?1 OR subject IN (SELECT 'key:' || id FROM (${keys}))`,
      ),
      run("UPDATE admin_acts SET who = 'deleted account' WHERE who = 'account:' || ?1"),
      from('accounts', 'id'),
      from('usage_by_day', 'account_id'),
      from('refused_calls', 'account_id'),
      from('passkey_challenges', 'account_id'),
    ]);
  }

  async logWebhook(accountId: string, attempt: LoggedAttempt): Promise<void> {
    // One statement appends the attempt, so that concurrent jobs do not overwrite each other's attempts. Readers skip
    // the last line if `substr` truncated it.
    await this.run(
      `UPDATE accounts SET webhook_attempts = substr(?1 || char(10) || coalesce(webhook_attempts, ''), 1, ${MAX_LOGGED})
       WHERE id = ?2`,
      [JSON.stringify(attempt), accountId],
    );
  }

  async webhookAttempts(accountId: string): Promise<LoggedAttempt[]> {
    const row = await this.first<{ lines: string | null }>(
      'SELECT webhook_attempts AS lines FROM accounts WHERE id = ?',
      [accountId],
    );
    const lines = (row?.lines ?? '').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as LoggedAttempt);
  }

  async issueChallenge(challenge: string, about: Challenge, expiresAt: number): Promise<void> {
    await this.run(
      'INSERT INTO passkey_challenges (challenge, purpose, account_id, name, expires_at) VALUES (?, ?, ?, ?, ?)',
      [challenge, about.purpose, about.accountId, about.name, expiresAt],
    );
  }

  async takeChallenge(challenge: string, now: number): Promise<Challenge | null> {
    const row = await this.first<Challenge & { expiresAt: number }>(
      `DELETE FROM passkey_challenges WHERE challenge = ?
         RETURNING purpose, account_id AS accountId, name, expires_at AS expiresAt`,
      [challenge],
    );
    return row && row.expiresAt > now ? row : null;
  }

  async createWithPasskey(name: string, passkey: Omit<Passkey, 'lastUsedAt'>): Promise<boolean> {
    const [, added] = await this.database.batch([
      this.bound(
        `INSERT INTO accounts (id, name, created_at) SELECT ?, ?, ?
           WHERE NOT EXISTS (SELECT 1 FROM passkeys WHERE id = ?)`,
        [passkey.accountId, name, passkey.createdAt, passkey.id],
      ),
      this.#insertPasskey(passkey),
    ]);
    return added!.meta.changes > 0;
  }

  async addPasskey(passkey: Omit<Passkey, 'lastUsedAt'>): Promise<boolean> {
    const { meta } = await this.#insertPasskey(passkey).run();
    return meta.changes > 0;
  }

  #insertPasskey(passkey: Omit<Passkey, 'lastUsedAt'>): D1PreparedStatement {
    return this.bound(
      `INSERT INTO passkeys (id, account_id, name, public_key, counter, transports, created_at)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE EXISTS (SELECT 1 FROM accounts WHERE id = ?2)
         ON CONFLICT DO NOTHING`,
      [
        passkey.id,
        passkey.accountId,
        passkey.name,
        passkey.publicKey,
        passkey.counter,
        JSON.stringify(passkey.transports),
        passkey.createdAt,
      ],
    );
  }

  async findPasskey(id: string): Promise<Passkey | null> {
    const row = await this.first<PasskeyRow>(
      `SELECT ${PASSKEY_COLUMNS} FROM passkeys WHERE id = ?`,
      [id],
    );
    return row && passkeyOf(row);
  }

  async passkeys(accountId: string): Promise<Passkey[]> {
    const results = await this.all<PasskeyRow>(
      `SELECT ${PASSKEY_COLUMNS} FROM passkeys WHERE account_id = ? ORDER BY created_at`,
      [accountId],
    );
    return results.map(passkeyOf);
  }

  async usePasskey(id: string, counter: number, now: number): Promise<void> {
    await this.run('UPDATE passkeys SET counter = ?, last_used_at = ? WHERE id = ?', [
      counter,
      now,
      id,
    ]);
  }

  async removePasskey(id: string, accountId: string): Promise<boolean> {
    return this.changes(
      `DELETE FROM passkeys WHERE id = ?1 AND account_id = ?2 AND (
           (SELECT count(*) FROM passkeys WHERE account_id = ?2) > 1 OR
           EXISTS (SELECT 1 FROM github_users WHERE account_id = ?2) OR
           EXISTS (SELECT 1 FROM oidc_users WHERE account_id = ?2))`,
      [id, accountId],
    );
  }

  async setRecoveryCodes(
    accountId: string,
    hashes: readonly string[],
    now: number,
    replaced: number | null,
  ): Promise<boolean> {
    const add =
      this.database.prepare(`INSERT INTO recovery_codes (hash, account_id, created_at) SELECT ?1, ?2, ?3
       WHERE NOT EXISTS (SELECT 1 FROM recovery_codes WHERE account_id = ?2 AND created_at <> ?3)`);
    const [, added] = await this.database.batch([
      this.bound('DELETE FROM recovery_codes WHERE account_id = ? AND created_at IS ?', [
        accountId,
        replaced,
      ]),
      ...hashes.map((hash) => add.bind(hash, accountId, now)),
    ]);
    return added!.meta.changes > 0;
  }

  takeRecoveryCode(hash: string): Promise<string | null> {
    return this.bound('DELETE FROM recovery_codes WHERE hash = ? RETURNING account_id', [
      hash,
    ]).first<string>('account_id');
  }

  async findOrCreateByGithub(
    user: { id: string; login: string },
    newId: string,
    now: number,
  ): Promise<string> {
    const unknown = 'WHERE NOT EXISTS (SELECT 1 FROM github_users WHERE id = ?1)';
    const results = await this.database.batch<{ account_id: string }>([
      this.bound(`INSERT INTO accounts (id, name, created_at) SELECT ?2, ?3, ?4 ${unknown}`, [
        user.id,
        newId,
        user.login,
        now,
      ]),
      this.bound(
        `INSERT INTO github_users (id, account_id, login, created_at) SELECT ?1, ?2, ?3, ?4 ${unknown}`,
        [user.id, newId, user.login, now],
      ),
      this.bound('UPDATE github_users SET login = ?2 WHERE id = ?1 RETURNING account_id', [
        user.id,
        user.login,
      ]),
    ]);
    return results[2]!.results[0]!.account_id;
  }

  findByGithub(userId: string): Promise<string | null> {
    return this.bound('SELECT account_id FROM github_users WHERE id = ?', [userId]).first<string>(
      'account_id',
    );
  }

  async linkGithub(
    user: { id: string; login: string },
    accountId: string,
    now: number,
  ): Promise<boolean> {
    const [, found] = await this.database.batch<{ account_id: string }>([
      this.bound(
        'INSERT INTO github_users (id, account_id, login, created_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
        [user.id, accountId, user.login, now],
      ),
      this.bound('SELECT account_id FROM github_users WHERE id = ?', [user.id]),
    ]);
    return found!.results[0]?.account_id === accountId;
  }

  async unlinkGithub(accountId: string): Promise<boolean> {
    return this.changes(
      `DELETE FROM github_users WHERE account_id = ?1 AND (
           EXISTS (SELECT 1 FROM passkeys WHERE account_id = ?1) OR
           EXISTS (SELECT 1 FROM oidc_users WHERE account_id = ?1))`,
      [accountId],
    );
  }

  async findOrCreateByOidc(
    {
      issuer,
      subject,
      email,
      name,
    }: { issuer: string; subject: string; email: string | null; name: string },
    newId: string,
    now: number,
  ): Promise<string> {
    const unknown =
      'WHERE NOT EXISTS (SELECT 1 FROM oidc_users WHERE issuer = ?1 AND subject = ?2)';
    const results = await this.database.batch<{ account_id: string }>([
      this.bound(`INSERT INTO accounts (id, name, created_at) SELECT ?3, ?4, ?5 ${unknown}`, [
        issuer,
        subject,
        newId,
        name,
        now,
      ]),
      this.bound(
        `INSERT INTO oidc_users (issuer, subject, account_id, email, created_at)
           SELECT ?1, ?2, ?3, ?4, ?5 ${unknown}`,
        [issuer, subject, newId, email, now],
      ),
      this.bound(
        'UPDATE oidc_users SET email = ?3 WHERE issuer = ?1 AND subject = ?2 RETURNING account_id',
        [issuer, subject, email],
      ),
    ]);
    return results[2]!.results[0]!.account_id;
  }

  async cleanUp(now: number): Promise<void> {
    await deletePortions(this.database, 'passkey_challenges', 'challenge', 'expires_at <= ?1', now);
  }
}

function passkeyOf(row: PasskeyRow): Passkey {
  return { ...row, transports: JSON.parse(row.transports) as string[] };
}
