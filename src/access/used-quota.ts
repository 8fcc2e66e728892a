/** Reads a key's used quota from the counters. */
import type { KeyRecord } from '../core/key-store.ts';
import type { Spent } from '../core/usage-store.ts';
import { dailyRequests, keySubject, monthlyTokens } from './charges.ts';
import type { RememberingCounters } from './reserve.ts';
import { dailyBytes } from './storage-budget.ts';

export async function usedQuota(
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
