/** Reserves either all charges of a call or none. Callers with an exhausted limit are refused from memory (ADR 7). */
import type {
  CountersOf,
  KeyClaim,
  QuotaRequest,
  RemainingQuota,
  Verdict,
} from '../core/counters.ts';
import { badRequest, unavailable } from '../core/errors.ts';
import type { Use } from '../core/usage-store.ts';
import { log } from '../lib/log.ts';
import type { Charge } from './charges.ts';
import { type Carry, errorOf, KeyChanged, Refusal } from './refusal.ts';

interface Spent {
  limit: number;
  /** The time at which a unit becomes available again, in milliseconds since the epoch. */
  until: number;
  /** The time from which the counters must be queried again, in milliseconds since the epoch. */
  staleAt: number;
}

/**
 * The time in milliseconds after which a cached limit is checked again, because another isolate may have released a
 * unit.
 */
const FRESH_MS = 30_000;
const MAX_REMEMBERED = 5000;

/** The counters, with a cache of the limits that they have reported as exhausted. */
export class RememberingCounters {
  /** Returns the counters of a subject. Calls to them bypass this isolate's memory. */
  readonly of: CountersOf;
  readonly #clock: () => number;
  /** The cached limits. A Map preserves insertion order, so the oldest limit is dropped first. */
  readonly #spent = new Map<string, Spent>();
  /** The number of refused calls for each policy. */
  readonly refusals = new Map<string, number>();

  constructor(of: CountersOf, clock: () => number = Date.now) {
    this.of = of;
    this.#clock = clock;
  }

  get now(): number {
    return this.#clock();
  }

  /** Whether the limit is cached as exhausted in this isolate. */
  wasSpent(subject: string, quotaRequest: QuotaRequest): boolean {
    return this.#entry(subject, quotaRequest) !== undefined;
  }

  /**
   * Returns the state of a limit that is cached as exhausted. Returns undefined if the counters must be queried.
   */
  spent(subject: string, quotaRequest: QuotaRequest): RemainingQuota | undefined {
    const entry = this.#entry(subject, quotaRequest);
    if (!entry || entry.staleAt <= this.now) return undefined;
    return { remaining: 0, resetAt: entry.until, unitAt: entry.until, refuses: true };
  }

  async take(
    subject: string,
    quotaRequests: readonly QuotaRequest[],
    uses: readonly Use[] = [],
    key?: KeyClaim,
  ): Promise<Verdict> {
    const requestedAt = this.now;
    const verdict = await this.of(subject).take(quotaRequests, uses, key);
    if (verdict.allowed) this.#forget(subject, quotaRequests);
    else if (!verdict.keyChanged) this.#remember(subject, quotaRequests, verdict, requestedAt);
    return verdict;
  }

  async release(
    subject: string,
    quotaRequests: readonly QuotaRequest[],
    at: number,
    uses: readonly Use[] = [],
  ): Promise<void> {
    await this.of(subject).release(quotaRequests, at, uses);
    this.#forget(subject, quotaRequests);
  }

  /**
   * Caches the limits that have no units left. A limit that refused a call for several units may still have some left,
   * in which case it is not cached.
   */
  #remember(
    subject: string,
    quotaRequests: readonly QuotaRequest[],
    verdict: Verdict,
    requestedAt: number,
  ): void {
    for (const [index, { policy, limit }] of quotaRequests.entries()) {
      const { remaining, unitAt } = verdict.remainingQuotas[index]!;
      if (remaining > 0) continue;
      const name = nameOf(subject, policy);
      this.#spent.delete(name);
      // The wait that the counters report is added to the time of the request, so clock differences do not matter and
      // network delay can only make `until` earlier.
      const until = requestedAt + unitAt - verdict.at;
      this.#spent.set(name, { limit, until, staleAt: requestedAt + FRESH_MS });
      if (this.#spent.size > MAX_REMEMBERED) this.#spent.delete(this.#spent.keys().next().value!);
    }
  }

  #forget(subject: string, quotaRequests: readonly QuotaRequest[]): void {
    if (this.#spent.size === 0) return;
    for (const { policy } of quotaRequests) this.#spent.delete(nameOf(subject, policy));
  }

  /** The limits are compared, because an operator may have changed a key's quota. */
  #entry(subject: string, { policy, limit }: QuotaRequest): Spent | undefined {
    if (this.#spent.size === 0) return undefined;
    const entry = this.#spent.get(nameOf(subject, policy));
    return entry && entry.limit === limit && entry.until > this.now ? entry : undefined;
  }
}

const nameOf = (subject: string, policy: string) => `${subject} ${policy}`;

/** Throws the error that callers see. */
export const rethrow =
  (carry: Carry) =>
  (thrown: unknown): never => {
    throw errorOf(thrown, carry);
  };

interface Taken {
  subject: string;
  charges: readonly Charge[];
  uses: readonly Use[];
  verdict: Verdict;
}

/** The key to check and the uses to record. Both are sent in the request that takes the caller's units. */
export interface OwnRequest {
  subject: string;
  uses: readonly Use[];
  key?: KeyClaim;
}

const NO_OWN_REQUEST: Omit<OwnRequest, 'subject'> = { uses: [] };

export interface Reserved {
  /** The limit headers of the response. */
  headers: Record<string, string>;
  /** Whether the uses are recorded. They are recorded if units of the caller's own subject were taken. */
  isRecorded: boolean;
  /** Whether the calls were counted. They are not counted if the counters cannot be reached. */
  isCounted: boolean;
}

/**
 * Reserves the charges subject by subject, in the fixed order of their names. If one refuses, the units of the earlier
 * ones are released and a Refusal or KeyChanged is thrown. ADR 7 describes what happens when the counters cannot be
 * reached.
 */
export async function reserve(
  counters: RememberingCounters,
  charges: readonly Charge[],
  ownRequest?: OwnRequest,
): Promise<Reserved> {
  refuseIfExhausted(counters, charges);
  const taken: Taken[] = [];
  try {
    for (const [subject, group] of bySubject(charges)) {
      const { uses, key } = ownRequest?.subject === subject ? ownRequest : NO_OWN_REQUEST;
      const verdict = await counters.take(subject, quotaRequestsOf(group), uses, key);
      if (!verdict.allowed) {
        await Promise.all(taken.map((part) => release(counters, part)));
        if (verdict.keyChanged) throw new KeyChanged();
        throw refusalOf(counters, group, verdict);
      }
      taken.push({ subject, charges: group, uses, verdict });
    }
  } catch (error) {
    if (error instanceof Refusal || error instanceof KeyChanged) throw error;
    // Units already taken from other subjects are not released, because their counters may also be unreachable.
    if (charges.some(({ own }) => own))
      throw unavailable('The call counters are unavailable. Try again in a moment.', 5, error);
    log('error', 'calls-not-counted', { cause: error });
    return { headers: {}, isRecorded: false, isCounted: false };
  }
  const headers = limitHeaders(
    taken.flatMap(({ charges }) => quotaRequestsOf(charges)),
    taken.flatMap(({ verdict }) => verdict.remainingQuotas),
    taken.at(-1)!.verdict.at,
  );
  const isRecorded = taken.some(({ subject }) => subject === ownRequest?.subject);
  return { headers, isRecorded, isCounted: true };
}

/** Throws a Refusal if a limit is cached as exhausted. Does not query the counters. */
export function refuseIfExhausted(counters: RememberingCounters, charges: readonly Charge[]): void {
  const known = charges.map(({ subject, quotaRequest }) => counters.spent(subject, quotaRequest));
  const remainingQuotas = known.filter((remainingQuota) => remainingQuota !== undefined);
  if (remainingQuotas.length === 0) return;
  const refusing = charges.filter((_, index) => known[index]);
  throw refusalOf(counters, refusing, { allowed: false, at: counters.now, remainingQuotas });
}

/** Groups charges by subject. Charges to the same policy are added up, for example if a chain runs a tool twice. */
export function bySubject(charges: readonly Charge[]): [string, Charge[]][] {
  return [...Map.groupBy(charges, ({ subject }) => subject)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([subject, group]) => [subject, addedUp(group)]);
}

function addedUp(charges: readonly Charge[]): Charge[] {
  const sums = new Map<string, Charge>();
  for (const charge of charges) {
    const { quotaRequest } = charge;
    const same = sums.get(quotaRequest.policy)?.quotaRequest;
    const cost = (same?.cost ?? 0) + quotaRequest.cost;
    sums.set(
      quotaRequest.policy,
      same ? { ...charge, quotaRequest: { ...quotaRequest, cost } } : charge,
    );
  }
  return [...sums.values()];
}

export const quotaRequestsOf = (charges: readonly Charge[]): QuotaRequest[] =>
  charges.map(({ quotaRequest }) => quotaRequest);

async function release(
  counters: RememberingCounters,
  { subject, charges, uses, verdict }: Taken,
): Promise<void> {
  try {
    await counters.release(subject, quotaRequestsOf(charges), verdict.at, uses);
  } catch (error) {
    // The call must not fail here. The units expire with their window even if they are not released.
    log('error', 'units-not-released', { cause: error });
  }
}

/**
 * Returns the refusal for the limit that resets last, because the call cannot be admitted earlier. A call that costs
 * more than a window's limit gets 400.
 */
function refusalOf(
  { refusals }: RememberingCounters,
  group: readonly Charge[],
  { remainingQuotas, at }: Verdict,
): Refusal {
  let last = -1;
  for (let i = 0; i < group.length; i++) {
    if (!remainingQuotas[i]!.refuses) continue;
    if (last < 0 || remainingQuotas[i]!.resetAt > remainingQuotas[last]!.resetAt) last = i;
  }
  const charge = group[last]!;
  const remainingQuota = remainingQuotas[last]!;
  const { per, cost, limit, policy } = charge.quotaRequest;
  refusals.set(policy, (refusals.get(policy) ?? 0) + 1);
  if (per === 'window' && cost > limit) {
    const error = badRequest(
      `This call counts as ${cost}, but the limit "${policy}" is ${limit}. Split the call.`,
    );
    return new Refusal(error, limitHeaders([charge.quotaRequest], [remainingQuota], at));
  }
  const retryAfter = Math.max(1, Math.ceil((remainingQuota.resetAt - at) / 1000));
  return new Refusal(
    charge.refusal(remainingQuota, retryAfter),
    limitHeaders([charge.quotaRequest], [remainingQuota], at),
  );
}

/**
 * Returns the headers for the policy that refuses the call or, if none does, for the policy that is closest to its
 * limit (draft-ietf-httpapi-ratelimit-headers; GitHub's X-RateLimit-* headers).
 */
export function limitHeaders(
  quotaRequests: readonly QuotaRequest[],
  remainingQuotas: readonly RemainingQuota[],
  now: number,
): Record<string, string> {
  let closest = -1;
  for (let i = 0; i < quotaRequests.length; i++) {
    if (closest < 0 || isCloser(remainingQuotas[i]!, remainingQuotas[closest]!)) closest = i;
  }
  if (closest < 0) return {};
  const { policy, limit, seconds } = quotaRequests[closest]!;
  const { remaining, resetAt, refuses } = remainingQuotas[closest]!;
  const left = Math.max(0, Math.ceil((resetAt - now) / 1000));
  // The reset may be a millisecond after the end of the window. Only refused callers get this exact time.
  const wait = refuses ? left : Math.min(left, seconds);
  return {
    'RateLimit-Policy': `"${policy}";q=${limit};w=${seconds}`,
    RateLimit: `"${policy}";r=${remaining};t=${wait}`,
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.ceil(resetAt / 1000)),
  };
}

function isCloser(one: RemainingQuota, other: RemainingQuota): boolean {
  if (one.refuses !== other.refuses) return one.refuses;
  return one.remaining < other.remaining;
}
