/** Access control between the surfaces and the pipeline: identifies the caller and applies limits. */
import type { Caller } from '../core/caller.ts';
import type { Counters } from '../core/counters.ts';
import type { Tool } from '../core/define-tool.ts';
import type { KeyRecord, KeyStore } from '../core/key-store.ts';
import type { SessionStore } from '../core/session-store.ts';
import type { Spent } from '../core/usage-store.ts';
import { Admission } from './admission.ts';
import { dailyRequests, keySubject, monthlyTokens } from './charges.ts';
import { Identifier } from './identify.ts';
import { leftFor } from './left-for.ts';
import { RememberingCounters } from './remembering-counters.ts';
import { reserve, rethrow } from './reserve.ts';
import { dailyBytes } from './storage-budget.ts';
import type { Surface } from './surfaces.ts';
import type { UsageRecorder } from './usage-recorder.ts';
import { type VisitorAction, visitorCharge } from './visitor-limits.ts';

type Carry = (headers: Record<string, string>) => void;

interface Known {
  keys: Pick<KeyStore, 'find'>;
  sessions: Pick<SessionStore, 'find'>;
}

export class Access {
  readonly #counters: RememberingCounters | null;
  readonly #identifier: Identifier;
  readonly #recorder: UsageRecorder;

  /** `counters` is null if calls are not counted (RATE_LIMITS=off). */
  constructor({ keys, sessions }: Known, counters: Counters | null, recorder: UsageRecorder) {
    this.#counters = counters && new RememberingCounters(counters);
    this.#identifier = new Identifier(keys, sessions, this.#counters);
    this.#recorder = recorder;
  }

  /** Identifies the caller of a request. Throws 401 for an invalid key, and 429 after many of them. */
  identify(request: Request, carry: Carry): Caller | Promise<Caller> {
    return this.#identifier.identify(request, carry);
  }

  /**
   * Identifies the caller and starts admission for a surface. Throws 401 for an invalid key, and 429 after many of
   * them.
   */
  arrive(request: Request, surface: Surface, carry: Carry): Admission | Promise<Admission> {
    const admission = (caller: Caller) => this.admission(caller, surface, carry);
    const caller = this.identify(request, carry);
    return caller instanceof Promise ? caller.then(admission) : admission(caller);
  }

  /** Starts admission for a surface. */
  admission(caller: Caller, surface: Surface, carry: Carry): Admission {
    return new Admission(this.#counters, caller, surface, carry, (use) => this.#recorder.note(use));
  }

  /** Counts an action of a visitor who is not identified. Throws 429. */
  async allowVisitor(request: Request, action: VisitorAction, carry: Carry): Promise<void> {
    if (!this.#counters) return;
    const caller = { address: request.headers.get('CF-Connecting-IP') ?? '' };
    carry(await reserve(this.#counters, [visitorCharge(action, caller)]).catch(rethrow(carry)));
  }

  /** The exact used quotas of these keys; null if calls are not counted. */
  async spent(keys: readonly KeyRecord[]): Promise<Spent[] | null> {
    const counters = this.#counters;
    if (!counters) return null;
    return Promise.all(
      keys
        .filter(({ revokedAt }) => revokedAt === null)
        .map(async ({ id, requestsPerDay, tokensPerMonth, bytesPerDay }) => {
          const quotaRequests = [
            dailyRequests(requestsPerDay, 0),
            monthlyTokens(tokensPerMonth, 0),
            dailyBytes(bytesPerDay, 0),
          ];
          const [requests, tokens, bytes] = await counters.remainingQuotas(
            keySubject(id),
            quotaRequests,
          );
          return {
            keyId: id,
            requestsToday: requestsPerDay - requests!.remaining,
            tokensThisMonth: tokensPerMonth - tokens!.remaining,
            bytesToday: bytesPerDay - bytes!.remaining,
          };
        }),
    );
  }

  /**
   * The limit headers that a call of this tool would get, without consuming any; null if calls are not counted. Throws
   * 401 for a tool that needs an account.
   */
  async left(caller: Caller, tool: Tool): Promise<Record<string, string> | null> {
    return this.#counters && leftFor(this.#counters, caller, tool);
  }

  /** Call it after a key was revoked or rotated. This isolate applies the change at once, others within seconds. */
  forgetKeys(): void {
    this.#identifier.forgetKeys();
  }
}
