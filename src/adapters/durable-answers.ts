/**
 * Stores responses in Durable Objects, one object for each idempotency key of a caller. If an object fails, the call
 * gets 503.
 */
import type { Claim, StoredAnswers } from '../core/stored-answers.ts';
import type { DiskSpace } from './disk-space.ts';
import { type Guard, guardOf } from './guard.ts';

export class DurableAnswers implements StoredAnswers {
  readonly #namespace: Cloudflare.Env['ANSWERS'];
  readonly #guard: Guard;

  constructor(namespace: Cloudflare.Env['ANSWERS'], disk: DiskSpace) {
    this.#namespace = namespace;
    this.#guard = guardOf('answer store', disk);
  }

  async claim(name: string, fingerprint: string): Promise<Claim> {
    const claimed = await this.#guard(
      async () => (await this.#namespace.getByName(name).claim(fingerprint)) as unknown as Claim,
    );
    if (claimed.kind !== 'first') return claimed;
    const { lock } = claimed;
    return {
      kind: 'first',
      lock: {
        keep: (answer) => this.#guard(() => lock.keep(answer)),
        [Symbol.dispose]: () => lock[Symbol.dispose](),
      },
    };
  }
}
