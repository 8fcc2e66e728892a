/** Answers that are kept under a caller's idempotency key. Plain data: it travels to a Durable Object. */

export interface StoredAnswer {
  status: number;
  headers: Record<string, string>;
  /** Id of the stored file that holds the body. */
  body: string;
}

/** The turn of a request whose key is new: it alone works, until it has kept an answer or is let go. */
export interface Lock extends Disposable {
  keep(answer: StoredAnswer): Promise<void>;
}

export type Claim =
  | { kind: 'first'; lock: Lock }
  | { kind: 'stored'; answer: StoredAnswer }
  | { kind: 'running' }
  | { kind: 'another' };

/** The kept answers of all callers. */
export interface StoredAnswers {
  /** @param name names caller, method, path and key; `fingerprint` tells the request's body from others. */
  claim(name: string, fingerprint: string): Promise<Claim>;
}
