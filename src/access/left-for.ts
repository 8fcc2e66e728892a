/** What is left for a caller of a tool: the limits that the next call would meet, with nothing taken of them. */
import type { Caller } from '../core/caller.ts';
import type { Counters } from '../core/counters.ts';
import type { Tool } from '../core/define-tool.ts';
import { asksOf, bySubject, limitHeaders } from './reserve.ts';
import { entryWants, toolWants, type Want } from './wants.ts';

/** As headers, those that the call would answer with. Throws 401 where the tool needs an account and the caller has none. */
export async function leftFor(
  counters: Counters,
  caller: Caller,
  tool: Tool,
): Promise<Record<string, string>> {
  const entry = entryWants('execution', caller, 1, tool.spendsTokens === true);
  return leftOf(counters, [...toolWants(tool, caller), ...entry]);
}

/** What is left of these limits and quotas, as headers. */
export async function leftOf(
  counters: Counters,
  wants: readonly Want[],
): Promise<Record<string, string>> {
  const groups = bySubject(wants);
  const standings = await Promise.all(
    groups.map(([subject, wants]) => counters.standings(subject, asksOf(wants))),
  );
  const asks = groups.flatMap(([, wants]) => asksOf(wants));
  return limitHeaders(asks, standings.flat(), Date.now());
}
