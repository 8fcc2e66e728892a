/** The room between the doors and the corridor: who calls, may they, how often. */
import type { Caller } from '../core/caller.ts';
import type { Counters } from '../core/counters.ts';
import type { KeyStore } from '../core/key-store.ts';
import { Gate } from './gate.ts';
import { Identifier } from './identify.ts';
import type { Surface } from './surfaces.ts';

type Carry = (headers: Record<string, string>) => void;

export class Access {
  readonly #counters: Counters | null;
  readonly #identifier: Identifier;

  /** `counters` is null where nothing is counted (RATE_LIMITS=off). */
  constructor(keys: Pick<KeyStore, 'find'>, counters: Counters | null) {
    this.#counters = counters;
    this.#identifier = new Identifier(keys, counters);
  }

  /** Who sent this request. Throws 401 for a key that is not good, 429 after many of them. */
  identify(request: Request, carry: Carry): Caller | Promise<Caller> {
    return this.#identifier.identify(request, carry);
  }

  /** The way in by a surface. */
  gate(caller: Caller, surface: Surface, carry: Carry): Gate {
    return new Gate(this.#counters, caller, surface, carry);
  }
}
