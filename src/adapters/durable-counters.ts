/** The counters as Durable Objects, one for each subject. */
import type { Ask, Counters, Standing, Verdict } from '../core/counters.ts';

export class DurableCounters implements Counters {
  readonly #namespace: Cloudflare.Env['LIMITS'];

  constructor(namespace: Cloudflare.Env['LIMITS']) {
    this.#namespace = namespace;
  }

  async take(subject: string, asks: readonly Ask[]): Promise<Verdict> {
    return this.#namespace.getByName(subject).take(asks);
  }

  async release(subject: string, asks: readonly Ask[], at: number): Promise<void> {
    await this.#namespace.getByName(subject).release(asks, at);
  }

  async charge(subject: string, ask: Ask): Promise<void> {
    await this.#namespace.getByName(subject).charge(ask);
  }

  async standings(subject: string, asks: readonly Ask[]): Promise<Standing[]> {
    return this.#namespace.getByName(subject).standings(asks);
  }
}
