/** The counters as Durable Objects, one per subject. */
import type { Counters, QuotaRequest, RemainingQuota, Verdict } from '../core/counters.ts';

export class DurableCounters implements Counters {
  readonly #namespace: Cloudflare.Env['LIMITS'];

  constructor(namespace: Cloudflare.Env['LIMITS']) {
    this.#namespace = namespace;
  }

  async take(subject: string, quotaRequests: readonly QuotaRequest[]): Promise<Verdict> {
    return this.#namespace.getByName(subject).take(quotaRequests);
  }

  async release(
    subject: string,
    quotaRequests: readonly QuotaRequest[],
    at: number,
  ): Promise<void> {
    await this.#namespace.getByName(subject).release(quotaRequests, at);
  }

  async charge(subject: string, quotaRequest: QuotaRequest): Promise<void> {
    await this.#namespace.getByName(subject).charge(quotaRequest);
  }

  async remainingQuotas(
    subject: string,
    quotaRequests: readonly QuotaRequest[],
  ): Promise<RemainingQuota[]> {
    return this.#namespace.getByName(subject).remainingQuotas(quotaRequests);
  }
}
