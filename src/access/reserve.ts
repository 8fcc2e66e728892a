/** Takes several charges together, or none of them. Callers over an exhausted limit are refused from memory (ADR 7). */
import type { KeyClaim, QuotaRequest, Verdict } from '../core/counters.ts';
import { badRequest, unavailable } from '../core/errors.ts';
import type { Use } from '../core/usage-store.ts';
import { log } from '../lib/log.ts';
import type { Charge } from './charges.ts';
import { KeyChanged, limitHeaders, Refusal } from './refusal.ts';
import type { RememberingCounters } from './remembering-counters.ts';

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
    // Units already taken from other subjects are not released, because their counters may also be unreachable.
    if (!charges.some(({ own }) => own))
      return { headers: {}, isRecorded: false, isCounted: false };
    throw unavailable('Calls cannot be counted. Try again in a moment.', 5, error);
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
export function refuseSpent(counters: RememberingCounters, charges: readonly Charge[]): void {
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

/** Returns the refusal that lasts longest. No call can be admitted before it ends. */
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
