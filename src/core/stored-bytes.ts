/**
 * Counts the bytes that callers store. They are reserved before they are written, and released if they are deleted
 * early.
 */
import type { Caller } from './caller.ts';

/** The disk space in bytes that an empty Durable Object uses under `npm start`. */
export const RECORD_BYTES = 32 * 1024;

/** A reservation of bytes for one file, upload or record while it is written. */
export interface ByteReservation {
  /**
   * Reserves more bytes in the quota and in the total. Throws ToolError 429 if the quota is exceeded and 503 if the
   * total is.
   */
  add(bytes: number): Promise<void>;
  /** Releases all reserved bytes. Call it if nothing was stored. Never throws. */
  release(): Promise<void>;
}

export interface StorageBudget {
  /** Whether the total of all stored bytes is counted. If so, early deletions must be reported to `freed`. */
  readonly countsTotal: boolean;
  /**
   * Returns a reservation for bytes that expire at `end`, in milliseconds since the epoch. Without a caller, no quota
   * is charged.
   */
  reservation(caller: Caller | null, end: number): ByteReservation;
  /** Releases bytes that are deleted early. `end` is their expiry in milliseconds since the epoch. Never throws. */
  freed(bytes: number, end: number, owner: StoredBy): Promise<void>;
}

/** The class of a file's owner in the storage totals. Anonymous callers together may use half of the total. */
export type StoredBy = 'anonymous' | 'known';

/** Trial keys belong to no account, so their files count as anonymous. */
export const storedBy = (caller: Caller | null): StoredBy =>
  caller?.accountId === undefined ? 'anonymous' : 'known';

export type LedgerAnswer = 'taken' | 'full' | 'anonymous-full' | 'disk-full';

/** Counts the bytes of all stored files. */
export interface Ledger {
  take(bytes: number, end: number, owner: StoredBy): Promise<LedgerAnswer>;
  release(bytes: number, end: number, owner: StoredBy): Promise<void>;
}
