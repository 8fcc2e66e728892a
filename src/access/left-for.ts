/** What is left for a caller of a tool: the limits that the next call would meet, with nothing taken of them. */
import type { Caller } from '../core/caller.ts';
import type { Counters } from '../core/counters.ts';
import type { Tool } from '../core/define-tool.ts';
import { type Charge, entryCharges, toolCharges } from './charges.ts';
import { limitHeaders } from './limit-headers.ts';
import { bySubject, quotaRequestsOf } from './reserve.ts';

/** As headers, those that the call would answer with. Throws 401 where the tool needs an account and the caller has none. */
export async function leftFor(
  counters: Counters,
  caller: Caller,
  tool: Tool,
): Promise<Record<string, string>> {
  const entry = entryCharges('execution', caller, 1, tool.spendsTokens === true);
  return leftOf(counters, [...toolCharges(tool, caller), ...entry]);
}

/** What is left of these limits and quotas, as headers. */
export async function leftOf(
  counters: Counters,
  charges: readonly Charge[],
): Promise<Record<string, string>> {
  const groups = bySubject(charges);
  const remainingQuotas = await Promise.all(
    groups.map(([subject, charges]) => counters.remainingQuotas(subject, quotaRequestsOf(charges))),
  );
  const quotaRequests = groups.flatMap(([, charges]) => quotaRequestsOf(charges));
  return limitHeaders(quotaRequests, remainingQuotas.flat(), Date.now());
}
