/** Who the caller is, by key or session, and the admission of the request. */
import type { Caller } from '../core/caller.ts';
import type { CountersOf } from '../core/counters.ts';
import type { Tool } from '../core/define-tool.ts';
import { ToolError } from '../core/errors.ts';
import type { KeyRecord, KeyStore } from '../core/key-store.ts';
import type { SessionStore } from '../core/session-store.ts';
import type { Spent, UsageRecorder, Use } from '../core/usage-store.ts';
import { log } from '../lib/log.ts';
import { sessionOf } from './accounts/sessions.ts';
import { Admission } from './admission.ts';
import { type AuthenticatedKey, authenticateKey } from './api-keys.ts';
import { bearerToken } from './bearer-token.ts';
import type { Blocks } from './blocks.ts';
import { dailyRequests, keySubject, monthlyTokens, wrongKeyCharge } from './charges.ts';
import { leftFor } from './left-for.ts';
import { RememberingCounters } from './remembering-counters.ts';
import { refuseSpent, reserve, rethrow } from './reserve.ts';
import { dailyBytes } from './storage-budget.ts';
import type { Surface } from './surfaces.ts';
import { type VisitorAction, visitorCharge } from './visitor-limits.ts';

type Carry = (headers: Record<string, string>) => void;

interface Known {
  keys: Pick<KeyStore, 'find'>;
  sessions: Pick<SessionStore, 'find'>;
}

/** How long an isolate caches a key. After this, a revoked key is refused everywhere. */
const KEY_LIFE_MS = 5000;
const MAX_REMEMBERED = 1000;

function visitorOf(request: Request): Caller {
  const caller: Caller = { address: request.headers.get('CF-Connecting-IP') ?? '' };
  const continent = request.cf?.continent;
  if (typeof continent === 'string') caller.continent = continent;
  return caller;
}

export class Access {
  readonly #counters: RememberingCounters | null;
  readonly #keys: Known['keys'];
  readonly #sessions: Known['sessions'];
  readonly #knownKeys = new Map<string, { key: AuthenticatedKey; until: number }>();
  readonly #recorder: UsageRecorder;
  readonly #blocks: Blocks;
  readonly #requireSignIn: boolean;

  /** `counters` is null if calls are not counted (RATE_LIMITS=off); `requireSignIn` refuses anonymous callers. */
  constructor(
    { keys, sessions }: Known,
    counters: CountersOf | null,
    recorder: UsageRecorder,
    blocks: Blocks,
    requireSignIn: boolean,
  ) {
    this.#counters = counters && new RememberingCounters(counters);
    this.#keys = keys;
    this.#sessions = sessions;
    this.#recorder = recorder;
    this.#blocks = blocks;
    this.#requireSignIn = requireSignIn;
  }

  /**
   * Identifies the caller of a request. Throws 401 for an invalid key, 429 after many of them, and 403 for a blocked
   * caller.
   */
  identify(request: Request, carry: Carry): Caller | Promise<Caller> {
    const blocks = this.#blocks.recent();
    if (blocks) return blocks.then(() => this.#identify(request, carry));
    return this.#identify(request, carry);
  }

  #identify(request: Request, carry: Carry): Caller | Promise<Caller> {
    const caller = visitorOf(request);
    this.#blocks.refuseAddress(caller.address);
    const authorization = request.headers.get('Authorization');
    if (authorization !== null) return this.#withKey(caller, authorization, carry);
    return request.headers.has('Cookie') ? this.#withSession(caller, request) : caller;
  }

  /**
   * Identifies the caller and starts admission for a surface. Throws 401 for an invalid key and for an anonymous caller
   * where sign-in is required, 429 after many invalid keys, and 403 for a blocked caller.
   */
  arrive(request: Request, surface: Surface, carry: Carry): Admission | Promise<Admission> {
    const admission = (caller: Caller) => {
      if (this.#requireSignIn && !caller.accountId && !hasOwnSecret(request, surface)) {
        throw new ToolError(
          'invalid_key',
          'This service requires an account. Send an API key as Bearer, which /developers creates.',
        );
      }
      return this.admission(caller, surface, carry);
    };
    const caller = this.identify(request, carry);
    return caller instanceof Promise ? caller.then(admission) : admission(caller);
  }

  /** Starts admission for a surface. */
  admission(caller: Caller, surface: Surface, carry: Carry): Admission {
    const note = (use: Use) => this.#recorder.note(use);
    return new Admission(this.#counters, caller, surface, carry, note);
  }

  /** Throws 403 if a caller who was identified earlier is blocked now. */
  async refuseBlocked(caller: Caller): Promise<void> {
    await this.#blocks.recent();
    this.#blocks.refuseAddress(caller.address);
    this.#blocks.refuseKnown(caller);
  }

  /** Throws 403 if the address of the request is blocked. */
  refuseBlockedAddress(request: Request): Promise<void> {
    return this.refuseBlocked(visitorOf(request));
  }

  /** Counts an action of a visitor who is not identified. Throws 429, and 403 for a blocked address. */
  async allowVisitor(request: Request, action: VisitorAction, carry: Carry): Promise<void> {
    await this.refuseBlockedAddress(request);
    if (!this.#counters) return;
    const caller = visitorOf(request);
    const charge = visitorCharge(action, caller);
    carry((await reserve(this.#counters, [charge]).catch(rethrow(carry))).headers);
  }

  /** The exact used quotas of these keys; null if calls are not counted or the counters cannot be reached. */
  async spent(keys: readonly KeyRecord[]): Promise<Spent[] | null> {
    const counters = this.#counters;
    if (!counters) return null;
    try {
      return await Promise.all(
        keys.filter(({ revokedAt }) => revokedAt === null).map((key) => spentOf(counters, key)),
      );
    } catch (error) {
      log('error', 'quotas-not-read', { cause: error });
      return null;
    }
  }

  /**
   * The limit headers that a call of this tool would get, without consuming any; null if calls are not counted. Throws
   * 401 for a tool that needs an account.
   */
  async left(caller: Caller, tool: Tool): Promise<Record<string, string> | null> {
    return this.#counters && leftFor(this.#counters.of, caller, tool);
  }

  /** How often each limit has refused a call in this isolate, by its policy. */
  get refusals(): ReadonlyMap<string, number> {
    return this.#counters?.refusals ?? new Map();
  }

  /** Call it after a key was revoked or rotated. This isolate applies the change at once, others within seconds. */
  forgetKeys(): void {
    this.#knownKeys.clear();
  }

  async #withSession(caller: Caller, request: Request): Promise<Caller> {
    const session = await sessionOf(request, this.#sessions, Date.now());
    return session ? this.#admitted({ ...caller, accountId: session.accountId }) : caller;
  }

  async #withKey(caller: Caller, authorization: string, carry: Carry): Promise<Caller> {
    const now = Date.now();
    const counters = this.#counters;
    try {
      const token = bearerToken(authorization);
      // After too many wrong keys no key of this network is looked up, except one that was valid a moment ago.
      if (counters && !this.#knownKeys.has(token)) refuseSpent(counters, [wrongKeyCharge(caller)]);
      const { accountId, ...key } = await this.#keyOf(token, now);
      return this.#admitted(
        accountId === null ? { ...caller, key } : { ...caller, key, accountId },
      );
    } catch (error) {
      if (counters && error instanceof ToolError && error.status === 401) {
        const charge = wrongKeyCharge(caller);
        carry((await reserve(counters, [charge]).catch(rethrow(carry))).headers);
      }
      return rethrow(carry)(error);
    }
  }

  #admitted(caller: Caller): Caller {
    this.#blocks.refuseKnown(caller);
    return caller;
  }

  async #keyOf(token: string, now: number): Promise<AuthenticatedKey> {
    const known = this.#knownKeys.get(token);
    if (known && known.until > now) return known.key;
    this.#knownKeys.delete(token);
    const key = await authenticateKey(token, this.#keys, now);
    if (this.#knownKeys.size >= MAX_REMEMBERED) this.#knownKeys.clear();
    this.#knownKeys.set(token, { key, until: now + KEY_LIFE_MS });
    return key;
  }
}

/** Whether the address of the request is a secret that somebody with an account has shared. */
const hasOwnSecret = ({ method }: Request, surface: Surface): boolean =>
  surface === 'files' || (surface === 'uploads' && method === 'PUT');

async function spentOf(
  counters: RememberingCounters,
  { id, requestsPerDay, tokensPerMonth, bytesPerDay }: KeyRecord,
): Promise<Spent> {
  const counter = counters.of(keySubject(id));
  const [[requests, tokens, bytes], pending] = await Promise.all([
    counter.remainingQuotas([
      dailyRequests(requestsPerDay, 0),
      monthlyTokens(tokensPerMonth, 0),
      dailyBytes(bytesPerDay, 0),
    ]),
    counter.pendingUsage(),
  ]);
  return {
    keyId: id,
    requestsToday: requestsPerDay - requests!.remaining,
    tokensThisMonth: tokensPerMonth - tokens!.remaining,
    bytesToday: bytesPerDay - bytes!.remaining,
    lastUsedAt: Math.max(0, ...pending.map(({ at }) => at)) || null,
  };
}
