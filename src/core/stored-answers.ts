/**
 * A response that is stored under a caller's idempotency key. It is plain data, because it is sent to a Durable Object.
 */

export interface StoredAnswer {
  status: number;
  headers: Record<string, string>;
  /** The ID of the stored file that contains the body. */
  body: string;
}

/**
 * The lock that a request with a new key holds. No other request with this key runs until a response is stored or the
 * lock is released.
 */
export interface Lock extends Disposable {
  keep(answer: StoredAnswer): Promise<void>;
}

export type Claim =
  | { kind: 'first'; lock: Lock }
  | { kind: 'stored'; answer: StoredAnswer }
  | { kind: 'running' }
  | { kind: 'another' };

/** The stored responses of all callers. */
export interface StoredAnswers {
  /**
   * Locks a key, or returns its stored response.
   * @param name identifies the caller, the method, the path and the key
   * @param fingerprint identifies the body of the request
   */
  claim(name: string, fingerprint: string): Promise<Claim>;
}
