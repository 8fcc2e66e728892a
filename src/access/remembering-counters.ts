/**
 * Remembers in this isolate which limits are spent, and refuses their callers without a request to the counters (ADR
 * 7).
 */
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
  /** When a unit is free again; milliseconds since the epoch. */
  until: number;
  /** When the counters must be requested again. */
  staleAt: number;
}

/** Another isolate may release a unit in the meantime. */
const FRESH_MS = 30_000;
const MOST_REMEMBERED = 5000;

export class RememberingCounters {
  /** The counters of a subject, without what this isolate remembers. */
  readonly of: CountersOf;
  readonly #clock: () => number;
  /** Oldest first. */
  readonly #spent = new Map<string, Spent>();
  /** Refused calls by policy. */
  readonly refusals = new Map<string, number>();

  constructor(of: CountersOf, clock: () => number = Date.now) {
    this.of = of;
    this.#clock = clock;
  }

  get now(): number {
    return this.#clock();
  }

  /** Whether the limit was spent at the last request and is not free yet. */
  wasSpent(subject: string, quotaRequest: QuotaRequest): boolean {
    return this.#entry(subject, quotaRequest) !== undefined;
  }

  /** The state of a limit that is known to be spent; undefined if it must be requested. */
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

  /** Remembers only limits without a unit left: a refused call of several units does not spend the rest. */
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
      // The clocks may differ and the request took time, so the end is counted from the time it was sent. It is never
      // too late.
      const until = requestedAt + unitAt - verdict.at;
      this.#spent.set(name, { limit, until, staleAt: requestedAt + FRESH_MS });
      if (this.#spent.size > MOST_REMEMBERED) this.#spent.delete(this.#spent.keys().next().value!);
    }
  }

  #forget(subject: string, quotaRequests: readonly QuotaRequest[]): void {
    if (this.#spent.size === 0) return;
    for (const { policy } of quotaRequests) this.#spent.delete(nameOf(subject, policy));
  }

  /** The limit must match, because an operator may have changed a key's quota. */
  #entry(subject: string, { policy, limit }: QuotaRequest): Spent | undefined {
    if (this.#spent.size === 0) return undefined;
    const entry = this.#spent.get(nameOf(subject, policy));
    return entry && entry.limit === limit && entry.until > this.now ? entry : undefined;
  }
}

const nameOf = (subject: string, policy: string) => `${subject} ${policy}`;
