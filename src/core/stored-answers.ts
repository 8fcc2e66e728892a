/** Responses that are stored under a caller's idempotency key. Plain data that is sent to a Durable Object. */

export interface StoredAnswer {
  status: number;
  headers: Record<string, string>;
  /** The id of the stored file that contains the body. */
  body: string;
}

/**
 * The lock of a request with a new key. No other request with the key runs until it has stored a response or is
 * released.
 */
export interface Lock extends Disposable {
  keep(answer: StoredAnswer): Promise<void>;
}

export type Claim =
  | { kind: 'first'; lock: Lock }
  | { kind: 'stored'; answer: StoredAnswer }
  | { kind: 'running' }
  | { kind: 'another' };

/** The stored responses for all callers. */
export interface StoredAnswers {
  /** @param name identifies caller, method, path and key; `fingerprint` identifies the request's body. */
  claim(name: string, fingerprint: string): Promise<Claim>;
}
