/** Builds the limit headers that report a caller's remaining quota, without consuming any of it. */
import type { Caller } from '../core/caller.ts';
import type { CountersOf } from '../core/counters.ts';
import type { Tool } from '../core/define-tool.ts';
import { type Charge, entryCharges, toolCharges } from './charges.ts';
import { bySubject, limitHeaders, quotaRequestsOf } from './reserve.ts';

/**
 * Returns the limit headers that the next call would get. Throws 401 if the tool needs an account and the caller has
 * none.
 */
export async function toolQuotaHeaders(
  counters: CountersOf,
  caller: Caller,
  tool: Tool,
): Promise<Record<string, string>> {
  const entry = entryCharges('execution', caller, 1, tool.spendsTokens === true);
  return chargeQuotaHeaders(counters, [...toolCharges(tool, caller), ...entry]);
}

/** Returns the remaining quota for these charges as response headers. */
export async function chargeQuotaHeaders(
  counters: CountersOf,
  charges: readonly Charge[],
): Promise<Record<string, string>> {
  const groups = bySubject(charges);
  const remainingQuotas = await Promise.all(
    groups.map(([subject, charges]) => counters(subject).remainingQuotas(quotaRequestsOf(charges))),
  );
  const quotaRequests = groups.flatMap(([, charges]) => quotaRequestsOf(charges));
  return limitHeaders(quotaRequests, remainingQuotas.flat(), Date.now());
}
