/** The room between the doors and the corridor: who calls, may they, how often. */
import type { Caller } from '../core/caller.ts';
import type { Counters } from '../core/counters.ts';
import type { Tool } from '../core/define-tool.ts';
import type { KeyRecord, KeyStore } from '../core/key-store.ts';
import type { SessionStore } from '../core/session-store.ts';
import type { Spent, UsageRecorder } from '../core/usage-store.ts';
import { Gate } from './gate.ts';
import { Identifier } from './identify.ts';
import { leftFor } from './left-for.ts';
import { RememberingCounters } from './remembering-counters.ts';
import { reserve, rethrow } from './reserve.ts';
import { bytesAsk } from './storage-budget.ts';
import type { Surface } from './surfaces.ts';
import { type VisitorAction, visitorWant } from './visitor-limits.ts';
import { keySubject, requestsAsk, tokensAsk } from './wants.ts';

type Carry = (headers: Record<string, string>) => void;

interface Known {
  keys: Pick<KeyStore, 'find'>;
  sessions: Pick<SessionStore, 'find'>;
}

export class Access {
  readonly #counters: RememberingCounters | null;
  readonly #identifier: Identifier;
  readonly #recorder: UsageRecorder;

  /** `counters` is null where nothing is counted (RATE_LIMITS=off). */
  constructor({ keys, sessions }: Known, counters: Counters | null, recorder: UsageRecorder) {
    this.#counters = counters && new RememberingCounters(counters);
    this.#identifier = new Identifier(keys, sessions, this.#counters);
    this.#recorder = recorder;
  }

  /** Who sent this request. Throws 401 for a key that is not good, 429 after many of them. */
  identify(request: Request, carry: Carry): Caller | Promise<Caller> {
    return this.#identifier.identify(request, carry);
  }

  /** Who sent this request, and the way in by a surface. Throws 401 for a key that is not good, 429 after many of them. */
  arrive(request: Request, surface: Surface, carry: Carry): Gate | Promise<Gate> {
    const gate = (caller: Caller) => this.gate(caller, surface, carry);
    const caller = this.identify(request, carry);
    return caller instanceof Promise ? caller.then(gate) : gate(caller);
  }

  /** The way in by a surface. */
  gate(caller: Caller, surface: Surface, carry: Carry): Gate {
    return new Gate(this.#counters, caller, surface, carry, (use) => this.#recorder.note(use));
  }

  /** Counts what a visitor asks for without being known. Throws 429. */
  async allowVisitor(request: Request, action: VisitorAction, carry: Carry): Promise<void> {
    if (!this.#counters) return;
    const caller = { address: request.headers.get('CF-Connecting-IP') ?? '' };
    carry(await reserve(this.#counters, [visitorWant(action, caller)]).catch(rethrow(carry)));
  }

  /** What these keys have used of their quotas, to the unit; null where nothing is counted. */
  async spent(keys: readonly KeyRecord[]): Promise<Spent[] | null> {
    const counters = this.#counters;
    if (!counters) return null;
    return Promise.all(
      keys
        .filter(({ revokedAt }) => revokedAt === null)
        .map(async ({ id, requestsPerDay, tokensPerMonth, bytesPerDay }) => {
          const asks = [
            requestsAsk(requestsPerDay, 0),
            tokensAsk(tokensPerMonth, 0),
            bytesAsk(bytesPerDay, 0),
          ];
          const [requests, tokens, bytes] = await counters.standings(keySubject(id), asks);
          return {
            keyId: id,
            requestsToday: requestsPerDay - requests!.remaining,
            tokensThisMonth: tokensPerMonth - tokens!.remaining,
            bytesToday: bytesPerDay - bytes!.remaining,
          };
        }),
    );
  }

  /** The headers that tell what is left for a call of this tool, with nothing taken; null where nothing is counted. Throws 401 for a tool that needs an account. */
  async left(caller: Caller, tool: Tool): Promise<Record<string, string> | null> {
    return this.#counters && leftFor(this.#counters, caller, tool);
  }

  /** After a key was revoked or rotated: this isolate knows at once, the others within seconds. */
  forgetKeys(): void {
    this.#identifier.forgetKeys();
  }
}
