/** The Durable Object that counts for one subject: in memory at once, in storage within a second. */
import { DurableObject } from 'cloudflare:workers';
import type { QuotaRequest, RemainingQuota, Verdict } from '../core/counters.ts';
import { type SavedCounters, SubjectCounters } from './subject-counters.ts';

const KEY = 'counters';
/** A durable write per call would cost two thirds of the throughput. */
const WRITE_BEHIND_MS = 1000;

export class RateLimiter extends DurableObject<Cloudflare.Env> {
  readonly #counters: SubjectCounters;
  /** Whether a write is scheduled. */
  #writing = false;
  /** When this instance last set the alarm for. */
  #alarm: number | null = null;

  constructor(context: DurableObjectState, env: Cloudflare.Env) {
    super(context, env);
    this.#counters = new SubjectCounters(context.storage.kv.get<SavedCounters>(KEY));
  }

  /** Awaits nothing, so that concurrent calls cannot pass together. */
  take(quotaRequests: readonly QuotaRequest[]): Verdict {
    const verdict = this.#counters.take(quotaRequests, Date.now());
    if (verdict.allowed) this.#writeSoon();
    return verdict;
  }

  release(quotaRequests: readonly QuotaRequest[], at: number): void {
    this.#counters.release(quotaRequests, at);
    this.#writeSoon();
  }

  charge(quotaRequest: QuotaRequest): void {
    this.#counters.charge(quotaRequest, Date.now());
    this.#writeSoon();
  }

  remainingQuotas(quotaRequests: readonly QuotaRequest[]): RemainingQuota[] {
    return this.#counters.remainingQuotas(quotaRequests, Date.now());
  }

  /** Everything counted when the alarm was set has expired: writes what is left, or deletes everything. */
  override alarm(): void {
    this.#alarm = null;
    this.#write();
  }

  /** The delay varies, because many objects share a disk. */
  #writeSoon(): void {
    if (this.#writing) return;
    this.#writing = true;
    setTimeout(() => this.#write(), WRITE_BEHIND_MS * (0.5 + Math.random() / 2));
  }

  /** Awaits nothing between the two writes, so that they are atomic. */
  #write(): void {
    const { storage } = this.ctx;
    this.#writing = false;
    const end = this.#counters.prune(Date.now());
    if (end === null) {
      void storage.deleteAll();
      this.#alarm = null;
      return;
    }
    storage.kv.put(KEY, this.#counters.save());
    if (this.#alarm === null) {
      this.#alarm = end;
      void storage.setAlarm(end);
    }
  }
}
