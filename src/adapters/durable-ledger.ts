/** The ledger of stored bytes as one Durable Object. */
import type { Ledger, LedgerAnswer, StoredBy } from '../core/stored-bytes.ts';

export class DurableLedger implements Ledger {
  readonly #namespace: Cloudflare.Env['LEDGER'];

  constructor(namespace: Cloudflare.Env['LEDGER']) {
    this.#namespace = namespace;
  }

  take(bytes: number, end: number, owner: StoredBy): Promise<LedgerAnswer> {
    return this.#namespace.getByName('service').take(bytes, end, owner);
  }

  async release(bytes: number, end: number, owner: StoredBy): Promise<void> {
    await this.#namespace.getByName('service').release(bytes, end, owner);
  }
}
