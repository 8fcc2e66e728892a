/**
 * The Durable Object that counts one subject's calls in memory and saves the counts within a second. It also collects
 * the usage of its key or account for an hourly write to the database (ADR 87), and stores the version of the key's
 * record (ADR 94).
 */
import { DurableObject } from 'cloudflare:workers';
import { HOUR_MS } from '../core/calendar.ts';
import type { KeyClaim, QuotaRequest, RemainingQuota, Verdict } from '../core/counters.ts';
import type { UsageEntry, Use } from '../core/usage-store.ts';
import { log } from '../lib/log.ts';
import { PendingUsage } from './pending-usage.ts';
import { type SavedCounters, SubjectCounters } from './subject-counters.ts';

const KEY = 'counters';
/** The maximum delay before counts are saved, in milliseconds. A crash can lose the counts from this period. */
const LATEST_WRITE_MS = 1000;
/**
 * The limit on immediate writes per second. An immediate write is billed as one row, and a write through an alarm is
 * billed as three rows.
 */
const WRITTEN_AT_ONCE = 2;
/**
 * The maximum delay before expired counts are deleted, in milliseconds. An alarm and its rows cost as much as three
 * calls, so the alarm runs once an hour instead of after each expired window.
 */
const DELETION_MS = HOUR_MS;
/**
 * The time in milliseconds after which the version of the key is read again, in case this object was not notified of a
 * change.
 */
const VERSION_MS = HOUR_MS;

/** The saved state. Data saved by an earlier version may lack the optional fields. */
interface Saved extends SavedCounters {
  usage?: UsageEntry[];
  usageDue?: number | null;
  alarm?: number | null;
  keyVersion?: KeyVersion;
}

/**
 * The version of a key's record, and the time at which it was read from the database, in milliseconds since the epoch.
 */
interface KeyVersion {
  version: string;
  at: number;
}

export abstract class SubjectLimiter extends DurableObject<Cloudflare.Env> {
  readonly #counters: SubjectCounters;
  readonly #usage: PendingUsage;
  /**
   * The time at which pending usage must be written to the database, in milliseconds since the epoch. It is null if no
   * usage is pending.
   */
  #usageDue: number | null;
  /** The time of the next alarm, in milliseconds since the epoch. It is null if no alarm is set. */
  #alarm: number | null;
  #keyVersion: KeyVersion | undefined;
  /**
   * How many times the version has been discarded. If this number changes during a read, the result of the read is
   * discarded too.
   */
  #timesForgotten = 0;
  /** The Unix time of the latest change, in seconds. `#writes` is the number of changes in that second. */
  #second = 0;
  #writes = 0;

  constructor(context: DurableObjectState, env: Cloudflare.Env) {
    super(context, env);
    const saved = context.storage.kv.get<Saved>(KEY);
    this.#counters = new SubjectCounters(saved);
    this.#usage = new PendingUsage(saved?.usage);
    this.#usageDue = saved?.usageDue ?? null;
    this.#alarm = saved?.alarm ?? null;
    this.#keyVersion = saved?.keyVersion;
  }

  /** Writes usage to the database. */
  protected abstract writeUsage(entries: readonly UsageEntry[]): Promise<void>;

  /** Reads the current version of a key's record from the database. */
  protected abstract readKeyVersion(id: string): Promise<string>;

  async take(
    quotaRequests: readonly QuotaRequest[],
    uses: readonly Use[] = [],
    key?: KeyClaim,
  ): Promise<Verdict> {
    if (key && !this.#isCurrent(key)) {
      await this.#readKey(key.id);
      if (key.version !== this.#keyVersion?.version)
        return { allowed: false, keyChanged: true, at: Date.now(), remainingQuotas: [] };
    }
    return this.#take(quotaRequests, uses);
  }

  async forgetKey(): Promise<void> {
    this.#timesForgotten += 1;
    if (this.#keyVersion === undefined) return;
    this.#keyVersion = undefined;
    this.#write();
    await this.ctx.storage.sync();
  }

  #isCurrent({ version }: KeyClaim): boolean {
    const known = this.#keyVersion;
    return known?.version === version && Date.now() < known.at + VERSION_MS;
  }

  async #readKey(id: string): Promise<void> {
    const before = this.#timesForgotten;
    const at = Date.now();
    const version = await this.readKeyVersion(id);
    this.#keyVersion = before === this.#timesForgotten ? { version, at } : undefined;
  }

  /** This method contains no `await`, so that concurrent calls cannot all pass the check. */
  #take(quotaRequests: readonly QuotaRequest[], uses: readonly Use[]): Verdict {
    const verdict = this.#counters.take(quotaRequests, Date.now());
    if (verdict.allowed) {
      for (const use of uses) this.#addUse(use, verdict.at);
      this.#changed();
    }
    return verdict;
  }

  release(quotaRequests: readonly QuotaRequest[], at: number, uses: readonly Use[] = []): void {
    this.#counters.release(quotaRequests, at);
    for (const use of uses) this.#usage.remove(use, at);
    this.#changed();
  }

  charge(quotaRequest: QuotaRequest, use?: Use): void {
    this.#counters.charge(quotaRequest, Date.now());
    if (use) this.#addUse(use, Date.now());
    this.#changed();
  }

  remainingQuotas(quotaRequests: readonly QuotaRequest[]): RemainingQuota[] {
    return this.#counters.remainingQuotas(quotaRequests, Date.now());
  }

  pendingUsage(): UsageEntry[] {
    return this.#usage.entries;
  }

  /**
   * Writes the latest counts. If usage is due, writes it to the database. Deletes everything after all counts have
   * expired.
   */
  override async alarm(): Promise<void> {
    this.#alarm = null;
    if (this.#usageDue !== null && this.#usageDue <= Date.now()) await this.#flushUsage();
    this.#write();
  }

  #addUse(use: Use, at: number): void {
    this.#usage.add(use, at);
    this.#usageDue ??= at + HOUR_MS;
  }

  async #flushUsage(): Promise<void> {
    const entries = this.#usage.drain();
    this.#usageDue = null;
    try {
      await this.writeUsage(entries);
    } catch (error) {
      log('error', 'usage-not-written', { cause: error });
      for (const entry of entries) this.#addUse(entry, entry.at);
      this.#usageDue = Date.now() + HOUR_MS;
    }
  }

  /** Writes the first changes of each second immediately, and later changes through an alarm within a second. */
  #changed(): void {
    const now = Date.now();
    const second = Math.floor(now / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#writes = 0;
    }
    this.#writes += 1;
    if (this.#writes <= WRITTEN_AT_ONCE) this.#write();
    else this.#wake(now + LATEST_WRITE_MS);
  }

  /** This method contains no `await`, so that its writes form one commit and the caller does not wait for the disk. */
  #write(): void {
    const { storage } = this.ctx;
    const end = this.#counters.prune(Date.now());
    if (end === null && this.#usageDue === null) {
      void storage.deleteAll();
      this.#alarm = null;
      return;
    }
    this.#wake(this.#usageDue ?? Math.max(end!, Date.now() + DELETION_MS));
    const { entries: usage } = this.#usage;
    const saved: Saved = {
      ...this.#counters.save(),
      usage,
      usageDue: this.#usageDue,
      alarm: this.#alarm,
      keyVersion: this.#keyVersion,
    };
    void storage.put(KEY, saved, { allowUnconfirmed: true });
  }

  /** Sets the alarm unless an earlier alarm is set. Every change to the alarm is billed as a write. */
  #wake(at: number): void {
    if (this.#alarm !== null && this.#alarm <= at) return;
    this.#alarm = at;
    void this.ctx.storage.setAlarm(at, { allowUnconfirmed: true });
  }
}
