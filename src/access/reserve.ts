/** Takes several charges together: all or none. */

import type { KeyClaim, QuotaRequest, RemainingQuota, Verdict } from '../core/counters.ts';
import { badRequest, ToolError, unavailable } from '../core/errors.ts';
import type { Use } from '../core/usage-store.ts';
import { log } from '../lib/log.ts';
import type { Charge } from './charges.ts';
import type { RememberingCounters } from './remembering-counters.ts';

/** A refusal by a limit, with its response headers. */
export class Refusal {
  readonly error: ToolError;
  readonly headers: Record<string, string>;

  constructor(error: ToolError, headers: Record<string, string>) {
    this.error = error;
    this.headers = headers;
  }
}

/** The key's record has changed since this isolate read it. Nothing was taken. */
export class KeyChanged extends ToolError {
  constructor() {
    super('internal', 'This key is being changed. Try again in a moment.', {
      status: 503,
      retryAfter: 1,
    });
  }
}

/** Rethrows an error. For a Refusal it passes the headers to `carry` and throws the error inside. */
export const rethrow =
  (carry: (headers: Record<string, string>) => void) =>
  (thrown: unknown): never => {
    if (!(thrown instanceof Refusal)) throw thrown;
    carry(thrown.headers);
    throw thrown.error;
  };

interface Taken {
  subject: string;
  charges: readonly Charge[];
  uses: readonly Use[];
  verdict: Verdict;
}

/** What the caller's own subject checks and records with the units, so that it costs no separate request. */
export interface OwnRequest {
  subject: string;
  uses: readonly Use[];
  key?: KeyClaim;
}

const NO_OWN_REQUEST: Omit<OwnRequest, 'subject'> = { uses: [] };

interface Reserved {
  /** The limit headers of the response. */
  headers: Record<string, string>;
  /** Whether the uses are recorded: the caller's own subject was among the charged ones. */
  isRecorded: boolean;
  /** False if the counters cannot be reached. */
  isCounted: boolean;
}

/**
 * Reserves subject by subject, in the fixed order of their names. If one refuses, the units of the earlier ones are
 * released and a Refusal is thrown, or KeyChanged. ADR 7 describes what happens when the counters cannot be reached.
 */
export async function reserve(
  counters: RememberingCounters,
  charges: readonly Charge[],
  ownRequest?: OwnRequest,
): Promise<Reserved> {
  refuseSpent(counters, charges);
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
    // Units taken from other subjects stay taken, because those may be unreachable too.
    if (!charges.some(({ own }) => own))
      return { headers: {}, isRecorded: false, isCounted: false };
    throw unavailable('Calls cannot be counted at the moment. Try again in a moment.', 5, error);
  }
  const headers = limitHeaders(
    taken.flatMap(({ charges }) => quotaRequestsOf(charges)),
    taken.flatMap(({ verdict }) => verdict.remainingQuotas),
    taken.at(-1)!.verdict.at,
  );
  const isRecorded = taken.some(({ subject }) => subject === ownRequest?.subject);
  return { headers, isRecorded, isCounted: true };
}

/** Throws a Refusal if one of the limits is known to be spent; sends no request to the counters. */
export function refuseSpent(counters: RememberingCounters, charges: readonly Charge[]): void {
  const refusing: Charge[] = [];
  const verdict: Verdict = { allowed: false, at: counters.now, remainingQuotas: [] };
  for (const charge of charges) {
    const remainingQuota = counters.spent(charge.subject, charge.quotaRequest);
    if (!remainingQuota) continue;
    refusing.push(charge);
    verdict.remainingQuotas.push(remainingQuota);
  }
  if (refusing.length > 0) throw refusalOf(counters, refusing, verdict);
}

/** Groups charges by subject; charges of the same policy add up (a chain that runs a tool twice). */
export function bySubject(charges: readonly Charge[]): [string, Charge[]][] {
  if (charges.length === 1) return [[charges[0]!.subject, [charges[0]!]]];
  const groups = new Map<string, Map<string, Charge>>();
  for (const charge of charges) {
    const group = groups.get(charge.subject) ?? new Map<string, Charge>();
    groups.set(charge.subject, group);
    const same = group.get(charge.quotaRequest.policy);
    const cost = (same?.quotaRequest.cost ?? 0) + charge.quotaRequest.cost;
    group.set(charge.quotaRequest.policy, {
      ...charge,
      quotaRequest: { ...charge.quotaRequest, cost },
    });
  }
  return [...groups]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([subject, group]) => [subject, [...group.values()]]);
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
    // The units stay taken for their window, which is no reason to fail the call.
    log('error', 'units-not-released', { cause: error });
  }
}

/** Chooses the refusal that lasts longest, because no call passes before that one ends. */
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
      `This call counts ${cost} times towards the limit "${policy}" of ${limit}, so it can never pass. Split it.`,
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
 * What is left of the policy that is closest to running out (draft-ietf-httpapi-ratelimit-headers; X-RateLimit-* as
 * GitHub sends them).
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
  // Only a refused caller needs the millisecond after the window.
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
