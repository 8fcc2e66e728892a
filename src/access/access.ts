/** Identifies the caller by key or session, and starts the request's admission. */
import type { Caller, CallerKey } from '../core/caller.ts';
import type { CountersOf } from '../core/counters.ts';
import type { Tool } from '../core/define-tool.ts';
import { ToolError, unavailable } from '../core/errors.ts';
import { type KeyLookUp, type KeyRecord, versionOf } from '../core/key-store.ts';
import type { SessionStore } from '../core/session-store.ts';
import type { Spent, UsageRecorder, Use } from '../core/usage-store.ts';
import { log } from '../lib/log.ts';
import { sessionOf } from './accounts/sessions.ts';
import { Admission, type Credential } from './admission.ts';
import { bearerToken } from './bearer-token.ts';
import type { Blocks } from './blocks.ts';
import { keySubject, wrongKeyCharge } from './charges.ts';
import type { GeneralLimit } from './general-limits.ts';
import { KnownKeys } from './known-keys.ts';
import { toolQuotaHeaders } from './quota-headers.ts';
import { type Carry, errorOf } from './refusal.ts';
import { RememberingCounters, refuseIfExhausted, reserve, rethrow } from './reserve.ts';
import { usedQuota } from './used-quota.ts';
import { type VisitorAction, visitorCharge } from './visitor-limits.ts';

interface Known {
  keys: KeyLookUp;
  sessions: Pick<SessionStore, 'find'>;
}

/** A caller and the key sent with the request. */
interface Identified {
  caller: Caller;
  credential?: Credential;
}

function visitorOf(request: Request): Caller {
  const caller: Caller = { address: request.headers.get('CF-Connecting-IP') ?? '' };
  const continent = request.cf?.continent;
  if (typeof continent === 'string') caller.continent = continent;
  return caller;
}

export class Access {
  readonly #counters: RememberingCounters | null;
  readonly #sessions: Known['sessions'];
  readonly #knownKeys: KnownKeys;
  /** The ID of the latest operator action that this isolate has reported to each key's Durable Object. */
  readonly #announcedActs = new Map<string, number>();
  readonly #recorder: UsageRecorder;
  readonly #blocks: Blocks;
  readonly #requireSignIn: boolean;

  /**
   * `counters` is null if calls are not counted (RATE_LIMITS=off). If `requireSignIn` is true, anonymous callers are
   * refused.
   */
  constructor(
    { keys, sessions }: Known,
    counters: CountersOf | null,
    recorder: UsageRecorder,
    blocks: Blocks,
    requireSignIn: boolean,
  ) {
    this.#counters = counters && new RememberingCounters(counters);
    this.#knownKeys = new KnownKeys(keys);
    this.#sessions = sessions;
    this.#recorder = recorder;
    this.#blocks = blocks;
    this.#requireSignIn = requireSignIn;
  }

  /**
   * Identifies the caller of a request. Throws 401 for an invalid key, 429 after too many invalid keys, and 403 for a
   * blocked caller.
   */
  async identify(request: Request, carry: Carry): Promise<Caller> {
    return (await this.#identify(request, carry)).caller;
  }

  async #identify(request: Request, carry: Carry): Promise<Identified> {
    await this.#blocks.ensureRecent();
    const caller = visitorOf(request);
    this.#blocks.refuseAddress(caller.address);
    const authorization = request.headers.get('Authorization');
    if (authorization !== null) return this.#withKey(caller, authorization, carry);
    return request.headers.has('Cookie') ? this.#withSession(caller, request) : { caller };
  }

  /**
   * Identifies the caller and starts admission. Throws 401 for an invalid key, and for an anonymous
   * caller if sign-in is required. Throws 429 after too many invalid keys, and 403 for a blocked caller.
   */
  async startAdmission(request: Request, limit: GeneralLimit, carry: Carry): Promise<Admission> {
    const { caller, credential } = await this.#identify(request, carry);
    if (this.#requireSignIn && !caller.accountId && !hasOwnSecret(request, limit)) {
      throw new ToolError(
        'invalid_key',
        'This service requires an account. Sign in at /developers, or create an API key there and send it as a Bearer token.',
      );
    }
    return this.admission(caller, limit, carry, credential);
  }

  /** Starts admission. The request is charged against `limit`. */
  admission(caller: Caller, limit: GeneralLimit, carry: Carry, credential?: Credential): Admission {
    const note = (use: Use) => this.#recorder.note(use);
    return new Admission(this.#counters, caller, limit, carry, note, credential);
  }

  /** Throws 403 if the caller's address, key or account is blocked now. */
  async refuseBlocked(caller: Caller): Promise<void> {
    await this.#blocks.ensureRecent();
    this.#blocks.refuseAddress(caller.address);
    this.#blocks.refuseKnown(caller);
  }

  /** Throws 403 if the request's address is blocked. */
  refuseBlockedAddress(request: Request): Promise<void> {
    return this.refuseBlocked(visitorOf(request));
  }

  /**
   * Counts an action of an unidentified visitor. Throws 429 if the limit is exceeded, 403 for a blocked address, and
   * 503 if the counters cannot be reached.
   */
  async allowVisitor(request: Request, action: VisitorAction, carry: Carry): Promise<void> {
    await this.refuseBlockedAddress(request);
    if (!this.#counters) return;
    const caller = visitorOf(request);
    const charge = visitorCharge(action, caller);
    carry((await reserve(this.#counters, [charge]).catch(rethrow(carry))).headers);
  }

  /**
   * Returns the exact quota usage of these keys, except the revoked ones. Returns null if calls are not counted or the
   * counters cannot be reached.
   */
  async spent(keys: readonly KeyRecord[]): Promise<Spent[] | null> {
    const counters = this.#counters;
    if (!counters) return null;
    try {
      return await Promise.all(
        keys.filter(({ revokedAt }) => revokedAt === null).map((key) => usedQuota(counters, key)),
      );
    } catch (error) {
      log('error', 'quotas-not-read', { cause: error });
      return null;
    }
  }

  /**
   * Returns the limit headers that a call to this tool would get, without consuming units. Returns
   * null if calls are not counted. Throws 401 if the tool needs an account.
   */
  async toolQuotaHeaders(caller: Caller, tool: Tool): Promise<Record<string, string> | null> {
    return this.#counters && toolQuotaHeaders(this.#counters.of, caller, tool);
  }

  /** The number of calls that this isolate has refused, by limit policy. */
  get refusals(): ReadonlyMap<string, number> {
    return this.#counters?.refusals ?? new Map();
  }

  /**
   * Ensures that changes to these keys take effect on the keys' next call, in every isolate. Throws 503 if a Durable
   * Object is unreachable.
   */
  async keysChanged(ids: readonly string[]): Promise<void> {
    const counters = this.#counters;
    if (!counters) return;
    const forget = (id: string) => counters.of(keySubject(id)).forgetKey();
    try {
      await Promise.all(ids.map((id) => forget(id).catch(() => forget(id))));
    } catch (error) {
      const message =
        'The change was saved, but may not take effect for up to an hour. Submit it again to apply it now.';
      throw unavailable(message, 5, error);
    }
  }

  /** Calls `keysChanged`. If a Durable Object is unreachable, logs the error and returns false instead of throwing. */
  async announceKeyChanges(ids: readonly string[]): Promise<boolean> {
    try {
      await this.keysChanged(ids);
      return true;
    } catch (error) {
      log('error', 'key-change-not-sent', { cause: error });
      return false;
    }
  }

  async #withSession(caller: Caller, request: Request): Promise<Identified> {
    const session = await sessionOf(request, this.#sessions, Date.now());
    if (!session) return { caller };
    return { caller: this.#admitted({ ...caller, accountId: session.accountId }) };
  }

  async #withKey(caller: Caller, authorization: string, carry: Carry): Promise<Identified> {
    const now = Date.now();
    const counters = this.#counters;
    try {
      const token = bearerToken(authorization);
      // A network that has sent too many invalid keys may use only keys that this isolate has already read.
      if (counters && !this.#knownKeys.has(token))
        refuseIfExhausted(counters, [wrongKeyCharge(caller)]);
      // Without counters, the key is always read from the database, because no Durable Object can detect an outdated
      // cached key.
      let found = await (counters
        ? this.#knownKeys.find(token, now)
        : this.#knownKeys.findAnew(token, now));
      if (!(await this.#announceAct(found.id))) found = await this.#knownKeys.findAnew(token, now);
      const key = callerKeyOf(found);
      const { accountId } = found;
      const known = accountId === null ? { ...caller, key } : { ...caller, key, accountId };
      return { caller: this.#admitted(known), credential: this.#credentialOf(token, key, found) };
    } catch (error) {
      if (counters && error instanceof ToolError && error.status === 401) {
        await countWrongKey(counters, caller, error, carry);
      }
      return rethrow(carry)(error);
    }
  }

  #admitted(caller: Caller): Caller {
    this.#blocks.refuseKnown(caller);
    return caller;
  }

  /**
   * Notifies the key's Durable Object of an operator action, because `npm run admin` writes only to the database.
   * Returns false if the object cannot be reached.
   */
  async #announceAct(keyId: string): Promise<boolean> {
    const act = this.#blocks.latestActOn(keyId);
    if (act === undefined || this.#announcedActs.get(keyId) === act) return true;
    const isAnnounced = await this.announceKeyChanges([keyId]);
    if (isAnnounced) this.#announcedActs.set(keyId, act);
    return isAnnounced;
  }

  #credentialOf(token: string, key: CallerKey, found: KeyRecord): Credential {
    const knownKeys = this.#knownKeys;
    let version = versionOf(found);
    return {
      get claim() {
        return { id: key.id, version };
      },
      async renew() {
        const current = await knownKeys.findAnew(token, Date.now());
        Object.assign(key, callerKeyOf(current));
        version = versionOf(current);
      },
    };
  }
}

/**
 * Counts an invalid key, and throws 429 after too many unknown or malformed keys. A revoked or expired key still gets
 * 401, so that its owner learns why it fails.
 */
async function countWrongKey(
  counters: RememberingCounters,
  caller: Caller,
  { code }: ToolError,
  carry: Carry,
): Promise<void> {
  const isGuess = code === 'invalid_key';
  const charge = wrongKeyCharge(caller, isGuess ? undefined : 'ended-keys');
  try {
    carry((await reserve(counters, [charge])).headers);
  } catch (refusal) {
    const error = errorOf(refusal, carry);
    if (isGuess) throw error;
  }
}

const callerKeyOf = (key: KeyRecord): CallerKey => {
  const { id, kind, requestsPerDay, tokensPerMonth, bytesPerDay } = key;
  return { id, kind, requestsPerDay, tokensPerMonth, bytesPerDay };
};

/** Whether the URL itself is the credential, in which case no account is needed. */
const hasOwnSecret = ({ method }: Request, limit: GeneralLimit): boolean =>
  limit === 'files' || (limit === 'uploads' && method === 'PUT');
