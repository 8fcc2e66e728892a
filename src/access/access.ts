/** Who the caller is, by key or session, and the admission of the request. */
import type { Caller } from '../core/caller.ts';
import type { Counters } from '../core/counters.ts';
import type { Tool } from '../core/define-tool.ts';
import { ToolError } from '../core/errors.ts';
import type { KeyRecord, KeyStore } from '../core/key-store.ts';
import type { SessionStore } from '../core/session-store.ts';
import type { Spent, UsageRecorder, Use } from '../core/usage-store.ts';
import { sessionOf } from './accounts/sessions.ts';
import { type AuthenticatedKey, authenticateKey } from './api-keys.ts';
import { bearerToken } from './bearer-token.ts';
import { Gate } from './gate.ts';
import { leftFor } from './left-for.ts';
import { RememberingCounters } from './remembering-counters.ts';
import { refuseSpent, reserve, rethrow } from './reserve.ts';
import { bytesAsk } from './storage-budget.ts';
import type { Surface } from './surfaces.ts';
import { type VisitorAction, visitorWant } from './visitor-limits.ts';
import { keySubject, requestsAsk, tokensAsk, wrongKeyWant } from './wants.ts';

type Carry = (headers: Record<string, string>) => void;

interface Known {
  keys: Pick<KeyStore, 'find'>;
  sessions: Pick<SessionStore, 'find'>;
}

/** How long an isolate goes by what it read of a key: a revoked one is refused everywhere after this. */
const KEY_LIFE_MS = 5000;
const MOST_KEPT = 1000;

const ignore = () => {};

export class Access {
  readonly #counters: RememberingCounters | null;
  readonly #keys: Known['keys'];
  readonly #sessions: Known['sessions'];
  readonly #knownKeys = new Map<string, { key: AuthenticatedKey; until: number }>();
  readonly #recorder: UsageRecorder;

  /** `counters` is null where nothing is counted (RATE_LIMITS=off). */
  constructor({ keys, sessions }: Known, counters: Counters | null, recorder: UsageRecorder) {
    this.#counters = counters && new RememberingCounters(counters);
    this.#keys = keys;
    this.#sessions = sessions;
    this.#recorder = recorder;
  }

  /** Who sent this request. Throws 401 for a key that is not good, 429 after many of them. */
  identify(request: Request, carry: Carry): Caller | Promise<Caller> {
    const caller = { address: request.headers.get('CF-Connecting-IP') ?? '' };
    const authorization = request.headers.get('Authorization');
    if (authorization !== null) return this.#withKey(caller, authorization, carry);
    return request.headers.has('Cookie') ? this.#withSession(caller, request) : caller;
  }

  /** Who sent this request, and the way in by a surface. Throws 401 for a key that is not good, 429 after many of them. */
  arrive(request: Request, surface: Surface, carry: Carry): Gate | Promise<Gate> {
    const gate = (caller: Caller) => this.gate(caller, surface, carry);
    const caller = this.identify(request, carry);
    return caller instanceof Promise ? caller.then(gate) : gate(caller);
  }

  /** The way in by a surface. */
  gate(caller: Caller, surface: Surface, carry: Carry): Gate {
    // Anonymous calls are not attributed.
    const isKnown = caller.key !== undefined || caller.accountId !== undefined;
    const note = isKnown ? (use: Use) => this.#recorder.note(use) : ignore;
    return new Gate(this.#counters, caller, surface, carry, note);
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
    this.#knownKeys.clear();
  }

  async #withSession(caller: Caller, request: Request): Promise<Caller> {
    const session = await sessionOf(request, this.#sessions, Date.now());
    return session ? { ...caller, accountId: session.accountId } : caller;
  }

  async #withKey(caller: Caller, authorization: string, carry: Carry): Promise<Caller> {
    const now = Date.now();
    const counters = this.#counters;
    try {
      const token = bearerToken(authorization);
      // After too many wrong keys no key of this network is looked up, except one that was valid a moment ago.
      if (counters && !this.#knownKeys.has(token)) refuseSpent(counters, [wrongKeyWant(caller)]);
      const { accountId, ...key } = await this.#keyOf(token, now);
      return accountId === null ? { ...caller, key } : { ...caller, key, accountId };
    } catch (error) {
      if (counters && error instanceof ToolError && error.status === 401) {
        carry(await reserve(counters, [wrongKeyWant(caller)]).catch(rethrow(carry)));
      }
      return rethrow(carry)(error);
    }
  }

  async #keyOf(token: string, now: number): Promise<AuthenticatedKey> {
    const known = this.#knownKeys.get(token);
    if (known && known.until > now) return known.key;
    this.#knownKeys.delete(token);
    const key = await authenticateKey(token, this.#keys, now);
    if (this.#knownKeys.size >= MOST_KEPT) this.#knownKeys.clear();
    this.#knownKeys.set(token, { key, until: now + KEY_LIFE_MS });
    return key;
  }
}
