/**
 * The Durable Object of one idempotency key of one caller. That a request is at work is known in memory only, as long
 * as it holds its turn: one that dies lets go of it, so that no key stays locked.
 */
import { DurableObject, RpcTarget } from 'cloudflare:workers';
import type { KeptAnswer } from '../core/kept-answers.ts';

const KEY = 'answer';
const LIFE_MS = 24 * 3600 * 1000;

interface Kept {
  fingerprint: string;
  answer: KeptAnswer;
}

export class AnswerRecord extends DurableObject<Cloudflare.Env> {
  #kept: Kept | undefined;
  #running: { fingerprint: string } | undefined;

  constructor(context: DurableObjectState, env: Cloudflare.Env) {
    super(context, env);
    this.#kept = context.storage.kv.get<Kept>(KEY);
  }

  claim(fingerprint: string) {
    const known = this.#kept ?? this.#running;
    if (known && known.fingerprint !== fingerprint) return { kind: 'another' as const };
    if (this.#kept) return { kind: 'kept' as const, answer: this.#kept.answer };
    if (this.#running) return { kind: 'running' as const };
    const running = { fingerprint };
    this.#running = running;
    const turn = new HeldTurn(
      (answer) => this.#keep({ fingerprint, answer }),
      () => {
        if (this.#running === running) this.#running = undefined;
      },
    );
    return { kind: 'first' as const, turn };
  }

  override async alarm(): Promise<void> {
    this.#kept = undefined;
    await this.ctx.storage.deleteAll();
  }

  async #keep(kept: Kept): Promise<void> {
    this.#kept = kept;
    this.ctx.storage.kv.put(KEY, kept);
    await this.ctx.storage.setAlarm(Date.now() + LIFE_MS);
  }
}

class HeldTurn extends RpcTarget {
  readonly #keep: (answer: KeptAnswer) => Promise<void>;
  readonly #letGo: () => void;

  constructor(keep: (answer: KeptAnswer) => Promise<void>, letGo: () => void) {
    super();
    this.#keep = keep;
    this.#letGo = letGo;
  }

  keep(answer: KeptAnswer): Promise<void> {
    return this.#keep(answer);
  }

  [Symbol.dispose](): void {
    this.#letGo();
  }
}
