/** Identifies the caller: the address, and the key of the request or the signed-in account. */
import type { Caller } from '../core/caller.ts';
import { ToolError } from '../core/errors.ts';
import type { KeyStore } from '../core/key-store.ts';
import type { SessionStore } from '../core/session-store.ts';
import { hasSessionCookie, sessionOf } from './accounts/sessions.ts';
import { type AuthenticatedKey, authenticateKey } from './api-keys.ts';
import { bearerToken } from './bearer-token.ts';
import { wrongKeyCharge } from './charges.ts';
import type { RememberingCounters } from './remembering-counters.ts';
import { refuseSpent, reserve, rethrow } from './reserve.ts';

type Carry = (headers: Record<string, string>) => void;

/** How long an isolate caches a key. After this, a revoked key is refused everywhere. */
const KEY_LIFE_MS = 5000;
const MAX_REMEMBERED = 1000;

export class Identifier {
  readonly #keys: Pick<KeyStore, 'find'>;
  readonly #sessions: Pick<SessionStore, 'find'>;
  readonly #counters: RememberingCounters | null;
  readonly #known = new Map<string, { key: AuthenticatedKey; until: number }>();

  constructor(
    keys: Pick<KeyStore, 'find'>,
    sessions: Pick<SessionStore, 'find'>,
    counters: RememberingCounters | null,
  ) {
    this.#keys = keys;
    this.#sessions = sessions;
    this.#counters = counters;
  }

  /** The caller of this request. Throws 401 for an invalid key, 429 after many of them; `carry` as in Admission. */
  identify(request: Request, carry: Carry): Caller | Promise<Caller> {
    const caller = { address: request.headers.get('CF-Connecting-IP') ?? '' };
    const authorization = request.headers.get('Authorization');
    if (authorization !== null) return this.#withKey(caller, authorization, carry);
    return hasSessionCookie(request) ? this.#withSession(caller, request) : caller;
  }

  async #withSession(caller: Caller, request: Request): Promise<Caller> {
    const session = await sessionOf(request, this.#sessions, Date.now());
    return session ? { ...caller, accountId: session.accountId } : caller;
  }

  /** Clears the cached keys of this isolate. */
  forgetKeys(): void {
    this.#known.clear();
  }

  async #withKey(caller: Caller, authorization: string, carry: Carry): Promise<Caller> {
    const now = Date.now();
    const counters = this.#counters;
    try {
      const token = bearerToken(authorization);
      // After too many wrong keys no key of this network is looked up, except one that was valid a moment ago.
      if (counters && !this.#known.has(token)) refuseSpent(counters, [wrongKeyCharge(caller)]);
      const { accountId, ...key } = await this.#keyOf(token, now);
      return accountId === null ? { ...caller, key } : { ...caller, key, accountId };
    } catch (error) {
      if (counters && error instanceof ToolError && error.status === 401) {
        carry(await reserve(counters, [wrongKeyCharge(caller)]).catch(rethrow(carry)));
      }
      return rethrow(carry)(error);
    }
  }

  async #keyOf(token: string, now: number): Promise<AuthenticatedKey> {
    const known = this.#known.get(token);
    if (known && known.until > now) return known.key;
    this.#known.delete(token);
    const key = await authenticateKey(token, this.#keys, now);
    if (this.#known.size >= MAX_REMEMBERED) this.#known.clear();
    this.#known.set(token, { key, until: now + KEY_LIFE_MS });
    return key;
  }
}
