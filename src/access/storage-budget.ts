/** Charges stored bytes to the caller's daily quota and to the service's total before anything is written. */
import type { Caller } from '../core/caller.ts';
import type { CountersOf, QuotaRequest } from '../core/counters.ts';
import { ToolError, unavailable } from '../core/errors.ts';
import { GB, MB } from '../core/limits.ts';
import {
  type ByteReservation,
  type Ledger,
  type LedgerAnswer,
  type StorageBudget,
  type StoredBy,
  storedBy,
} from '../core/stored-bytes.ts';
import { log } from '../lib/log.ts';
import { ANONYMOUS_BYTES_PER_DAY, QUOTAS } from './api-keys.ts';
import { callerSubject } from './charges.ts';

const DAY_SECONDS = 86_400;
/**
 * The Retry-After in seconds while the storage is full. Space becomes free only when files expire or are deleted early.
 */
const FULL_SECONDS = 600;
const DISK_FULL_SECONDS = 60;

export class CountedStorage implements StorageBudget {
  readonly #counters: CountersOf | null;
  readonly #ledger: (() => Ledger) | null;

  /** `counters` is null if callers are not limited. `ledger` is null if the total is not limited. */
  constructor(counters: CountersOf | null, ledger: (() => Ledger) | null) {
    this.#counters = counters;
    this.#ledger = ledger;
  }

  get countsTotal(): boolean {
    return this.#ledger !== null;
  }

  reservation(caller: Caller | null, end: number): ByteReservation {
    return new Reservation(this.#counters, this.#ledger, caller, end);
  }

  async freed(bytes: number, end: number, owner: StoredBy): Promise<void> {
    if (bytes > 0) await this.#ledger?.().release(bytes, end, owner).catch(report);
  }
}

class Reservation implements ByteReservation {
  readonly #counters: CountersOf | null;
  readonly #ledger: (() => Ledger) | null;
  readonly #caller: Caller | null;
  readonly #end: number;
  #charged: { bytes: number; at: number }[] = [];
  #taken = 0;

  constructor(
    counters: CountersOf | null,
    ledger: (() => Ledger) | null,
    caller: Caller | null,
    end: number,
  ) {
    this.#counters = counters;
    this.#ledger = ledger;
    this.#caller = caller;
    this.#end = end;
  }

  async add(bytes: number): Promise<void> {
    if (bytes <= 0) return;
    const charge = await this.#charge(bytes);
    try {
      const answer = await this.#ledger?.().take(bytes, this.#end, storedBy(this.#caller));
      if (answer !== undefined && answer !== 'taken') throw serviceFull(answer);
    } catch (error) {
      if (charge) await this.#refund(charge);
      throw error instanceof ToolError ? error : unreadable(error);
    }
    if (charge) this.#charged.push(charge);
    this.#taken += bytes;
  }

  async release(): Promise<void> {
    const charged = this.#charged;
    const taken = this.#taken;
    this.#charged = [];
    this.#taken = 0;
    if (taken === 0) return;
    await Promise.all([
      ...charged.map((charge) => this.#refund(charge)),
      this.#ledger?.().release(taken, this.#end, storedBy(this.#caller)).catch(report),
    ]);
  }

  async #charge(bytes: number): Promise<{ bytes: number; at: number } | undefined> {
    if (!this.#counters || !this.#caller) return undefined;
    const subject = callerSubject(this.#caller);
    const quotaRequest = dailyBytes(bytesPerDay(this.#caller), bytes);
    const verdict = await this.#counters(subject)
      .take([quotaRequest])
      .catch((error) => {
        throw unreadable(error);
      });
    if (!verdict.allowed) {
      const resetAt = verdict.remainingQuotas[0]?.resetAt ?? verdict.at;
      throw quotaSpent(this.#caller, Math.max(1, Math.ceil((resetAt - verdict.at) / 1000)));
    }
    return { bytes, at: verdict.at };
  }

  async #refund({ bytes, at }: { bytes: number; at: number }): Promise<void> {
    const caller = this.#caller!;
    const quotaRequest = dailyBytes(bytesPerDay(caller), bytes);
    await this.#counters!(callerSubject(caller)).release([quotaRequest], at).catch(report);
  }
}

/** Returns the number of bytes that a caller may store per day. A signed-in browser has the quota of a new key. */
const bytesPerDay = ({ key, accountId }: Caller): number => {
  if (key) return key.bytesPerDay;
  return accountId === undefined ? ANONYMOUS_BYTES_PER_DAY : QUOTAS.persistent.bytesPerDay;
};

/** Returns a request to reserve `cost` bytes of a daily quota of `limit` bytes. */
export const dailyBytes = (limit: number, cost: number): QuotaRequest => ({
  policy: 'stored-bytes',
  limit,
  per: 'day',
  seconds: DAY_SECONDS,
  cost,
});

/** Formats a size in GB, MB or KB, such as `1.5 GB`. */
function limitText(bytes: number): string {
  const [unit, size] = bytes >= GB ? ['GB', GB] : bytes >= MB ? ['MB', MB] : ['KB', 1024];
  return `${Math.round((bytes / size) * 100) / 100} ${unit}`;
}

function quotaSpent(caller: Caller, retryAfter: number): ToolError {
  const limit = limitText(bytesPerDay(caller));
  if (caller.key) {
    const message = `This call would exceed the key's storage quota of ${limit} a day. The quota resets at 00:00 UTC.`;
    return new ToolError('quota_exceeded', message, { retryAfter });
  }
  const advice =
    caller.accountId === undefined
      ? ' An API key raises the limit: create one at /developers.'
      : '';
  const message = `This call would exceed your storage quota of ${limit} a day.${advice}`;
  return new ToolError('rate_limited', message, { retryAfter });
}

const unreadable = (cause: unknown): ToolError =>
  unavailable('The storage usage cannot be read. Try again in a moment.', 5, cause);

function serviceFull(answer: Exclude<LedgerAnswer, 'taken'>): ToolError {
  if (answer === 'anonymous-full') {
    return unavailable(
      'The storage for anonymous callers is full. Try again later, or use an API key.',
      FULL_SECONDS,
    );
  }
  return unavailable(
    "This service's storage is full. Try again later.",
    answer === 'full' ? FULL_SECONDS : DISK_FULL_SECONDS,
  );
}

/** A failed release is only logged, because the bytes stop counting when they expire. */
const report = (error: unknown) => log('error', 'bytes-not-released', { cause: error });
