/** The bytes that callers store: reserved before they are written, and released when they are deleted early. */
import type { Caller } from './caller.ts';

/** What a Durable Object of its own takes on the disk of `npm start`, beside its content. */
export const RECORD_BYTES = 32 * 1024;

/** The bytes of one file, upload or record while it is written. */
export interface ByteReservation {
  /** Reserves more bytes, of all counters or of none. Throws ToolError 429 (the caller's quota) or 503 (the service is full). */
  add(bytes: number): Promise<void>;
  /** Releases all of them: nothing was stored after all. Never throws. */
  release(): Promise<void>;
}

export interface StorageBudget {
  /** For bytes that are deleted at `end` (ms since the epoch). Without a caller no quota is charged. */
  reservation(caller: Caller | null, end: number): ByteReservation;
  /** Releases stored bytes that are deleted before their end. Never throws. */
  freed(bytes: number, end: number, owner: StoredBy): Promise<void>;
}

/** Who stored a file, as far as the totals tell: anonymous callers share half of the service's storage. */
export type StoredBy = 'anonymous' | 'known';

/** Trial keys belong to nobody: what they store counts as anonymous. */
export const storedBy = (caller: Caller | null): StoredBy =>
  caller?.accountId === undefined ? 'anonymous' : 'known';

export type LedgerAnswer = 'taken' | 'full' | 'anonymous-full' | 'disk-full';

/** The bytes that are stored in all. */
export interface Ledger {
  take(bytes: number, end: number, owner: StoredBy): Promise<LedgerAnswer>;
  giveBack(bytes: number, end: number, owner: StoredBy): Promise<void>;
}
