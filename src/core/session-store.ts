/**
 * The store of browser sessions. A session is found by the hash of the browser's token. Times are milliseconds since
 * the epoch.
 */

export interface SessionRecord {
  /** Identifies the session on pages. It grants no access. */
  id: string;
  accountId: string;
  /** The kind of browser, so that the owner can recognize the session. */
  browser: string;
  createdAt: number;
  expiresAt: number;
  /** The time at which the owner signed in with a passkey, or null if the session began in another way. */
  passkeyAt: number | null;
}

export interface SessionStore {
  create(hash: string, session: SessionRecord): Promise<void>;
  /** Returns the session, or null if it is unknown or has expired. */
  find(hash: string, now: number): Promise<SessionRecord | null>;
  list(accountId: string, now: number): Promise<SessionRecord[]>;
  end(hash: string): Promise<void>;
  revoke(id: string, accountId: string): Promise<void>;
  cleanUp(now: number): Promise<void>;
}
