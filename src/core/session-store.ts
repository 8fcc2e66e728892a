/** Sessions of signed-in people, as they are kept: by the hash of what the browser holds. Times are ms since the epoch. */

export interface SessionRecord {
  /** Names the session on pages; opens nothing. */
  id: string;
  accountId: string;
  /** What kind of browser began it, for its owner to tell them apart. */
  browser: string;
  createdAt: number;
  expiresAt: number;
}

export interface SessionStore {
  create(hash: string, session: SessionRecord): Promise<void>;
  /** The session, where it has not ended. */
  find(hash: string, now: number): Promise<SessionRecord | null>;
  list(accountId: string, now: number): Promise<SessionRecord[]>;
  end(hash: string): Promise<void>;
  revoke(id: string, accountId: string): Promise<void>;
  cleanUp(now: number): Promise<void>;
}
