/** Stored responses as Durable Objects: one for each idempotency key of each caller. */
import type { Claim, StoredAnswers } from '../core/stored-answers.ts';

export class DurableAnswers implements StoredAnswers {
  readonly #namespace: Cloudflare.Env['ANSWERS'];

  constructor(namespace: Cloudflare.Env['ANSWERS']) {
    this.#namespace = namespace;
  }

  async claim(name: string, fingerprint: string): Promise<Claim> {
    return (await this.#namespace.getByName(name).claim(fingerprint)) as unknown as Claim;
  }
}
