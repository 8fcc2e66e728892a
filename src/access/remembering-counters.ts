/** Remembers exhausted limits in this isolate, so that refusals need no request to the counters (ADR 7). */
import type {
  CountersOf,
  KeyClaim,
  QuotaRequest,
  RemainingQuota,
  Verdict,
} from '../core/counters.ts';
import type { Use } from '../core/usage-store.ts';

interface Spent {
  limit: number;
  /** The time at which a unit is free again, in milliseconds since the epoch. */
  until: number;
  /** The time from which the counters must be queried again, in milliseconds since the epoch. */
  staleAt: number;
}

/** A cached limit is checked again after this time, because another isolate may have released a unit. */
const FRESH_MS = 30_000;
const MOST_REMEMBERED = 5000;

/** The counters, together with the limits that they last reported to this isolate as exhausted. */
export class RememberingCounters {
  /** Returns the counters of a subject. Calls to them bypass this isolate's memory. */
  readonly of: CountersOf;
  readonly #clock: () => number;
  /** The cached limits. A Map preserves insertion order, so the oldest limit is dropped first. */
  readonly #spent = new Map<string, Spent>();
  /** The number of refused calls for each policy. */
  readonly refusals = new Map<string, number>();

  constructor(of: CountersOf, clock: () => number = Date.now) {
    this.of = of;
    this.#clock = clock;
  }

  get now(): number {
    return this.#clock();
  }

  /** Whether the limit is cached as exhausted in this isolate. */
  wasSpent(subject: string, quotaRequest: QuotaRequest): boolean {
    return this.#entry(subject, quotaRequest) !== undefined;
  }

  /**
   * Returns the state of a limit that is cached as exhausted. Returns undefined if the counters must be queried.
   */
  spent(subject: string, quotaRequest: QuotaRequest): RemainingQuota | undefined {
    const entry = this.#entry(subject, quotaRequest);
    if (!entry || entry.staleAt <= this.now) return undefined;
    return { remaining: 0, resetAt: entry.until, unitAt: entry.until, refuses: true };
  }

  async take(
    subject: string,
    quotaRequests: readonly QuotaRequest[],
    uses: readonly Use[] = [],
    key?: KeyClaim,
  ): Promise<Verdict> {
    const requestedAt = this.now;
    const verdict = await this.of(subject).take(quotaRequests, uses, key);
    if (verdict.allowed) this.#forget(subject, quotaRequests);
    else if (!verdict.keyChanged) this.#remember(subject, quotaRequests, verdict, requestedAt);
    return verdict;
  }

  async release(
    subject: string,
    quotaRequests: readonly QuotaRequest[],
    at: number,
    uses: readonly Use[] = [],
  ): Promise<void> {
    await this.of(subject).release(quotaRequests, at, uses);
    this.#forget(subject, quotaRequests);
  }

  /**
   * Remembers the limits that have no unit left. If a call of several units was refused, a limit may still have some.
   */
  #remember(
    subject: string,
    quotaRequests: readonly QuotaRequest[],
    verdict: Verdict,
    requestedAt: number,
  ): void {
    for (const [index, { policy, limit }] of quotaRequests.entries()) {
      const { remaining, unitAt } = verdict.remainingQuotas[index]!;
      if (remaining > 0) continue;
      const name = nameOf(subject, policy);
      this.#spent.delete(name);
      // The wait that the counters report is added to the time of the request, so clock differences do not matter and
      // network delay can only make `until` earlier.
      const until = requestedAt + unitAt - verdict.at;
      this.#spent.set(name, { limit, until, staleAt: requestedAt + FRESH_MS });
      if (this.#spent.size > MOST_REMEMBERED) this.#spent.delete(this.#spent.keys().next().value!);
    }
  }

  #forget(subject: string, quotaRequests: readonly QuotaRequest[]): void {
    if (this.#spent.size === 0) return;
    for (const { policy } of quotaRequests) this.#spent.delete(nameOf(subject, policy));
  }

  /** The limits are compared, because an operator may have changed a key's quota. */
  #entry(subject: string, { policy, limit }: QuotaRequest): Spent | undefined {
    if (this.#spent.size === 0) return undefined;
    const entry = this.#spent.get(nameOf(subject, policy));
    return entry && entry.limit === limit && entry.until > this.now ? entry : undefined;
  }
}

const nameOf = (subject: string, policy: string) => `${subject} ${policy}`;
