/**
 * The Durable Object for one caller's idempotency key. The lock held by a running request exists only in memory, so a
 * crash releases it and no key stays locked.
 */
import { DurableObject, RpcTarget } from 'cloudflare:workers';
import type { StoredAnswer } from '../core/stored-answers.ts';

const KEY = 'answer';
const LIFE_MS = 24 * 3600 * 1000;

interface StoredRecord {
  fingerprint: string;
  answer: StoredAnswer;
}

export class AnswerRecord extends DurableObject<Cloudflare.Env> {
  #stored: StoredRecord | undefined;
  #running: { fingerprint: string } | undefined;

  constructor(context: DurableObjectState, env: Cloudflare.Env) {
    super(context, env);
    this.#stored = context.storage.kv.get<StoredRecord>(KEY);
  }

  claim(fingerprint: string) {
    const known = this.#stored ?? this.#running;
    if (known && known.fingerprint !== fingerprint) return { kind: 'another' as const };
    if (this.#stored) return { kind: 'stored' as const, answer: this.#stored.answer };
    if (this.#running) return { kind: 'running' as const };
    const running = { fingerprint };
    this.#running = running;
    const lock = new HeldLock(
      (answer) => this.#keep({ fingerprint, answer }),
      () => {
        if (this.#running === running) this.#running = undefined;
      },
    );
    return { kind: 'first' as const, lock };
  }

  override async alarm(): Promise<void> {
    this.#stored = undefined;
    await this.ctx.storage.deleteAll();
  }

  async #keep(stored: StoredRecord): Promise<void> {
    this.#stored = stored;
    this.ctx.storage.kv.put(KEY, stored);
    await this.ctx.storage.setAlarm(Date.now() + LIFE_MS);
  }
}

class HeldLock extends RpcTarget {
  readonly #keep: (answer: StoredAnswer) => Promise<void>;
  readonly #release: () => void;

  constructor(keep: (answer: StoredAnswer) => Promise<void>, release: () => void) {
    super();
    this.#keep = keep;
    this.#release = release;
  }

  keep(answer: StoredAnswer): Promise<void> {
    return this.#keep(answer);
  }

  [Symbol.dispose](): void {
    this.#release();
  }
}
