/** Reports the usage of a key or an account to its owner: the calls, the remaining quotas and the refused calls. */

import { DAY_MS, periodOf } from '../core/calendar.ts';
import type { KeyRecord } from '../core/key-store.ts';
import type { Spent, UsageStore, UsageSubject } from '../core/usage-store.ts';

/** The number of days in the report, including today. */
export const REPORTED_DAYS = 30;

export const firstDayOf = (now: number): string =>
  periodOf('day', now - (REPORTED_DAYS - 1) * DAY_MS).name;

/** Reads quota usage from the counters. Returns null if calls are not counted or the counters cannot be reached. */
export type ExactlySpent = (keys: readonly KeyRecord[]) => Promise<Spent[] | null>;

/** Returns the report for these keys. The counts may be a few seconds old, because they are written in batches. */
export async function usageReport(
  subject: UsageSubject,
  keys: readonly KeyRecord[],
  usage: UsageStore,
  now: number,
  exactly: ExactlySpent,
) {
  const [days, exact, noted, refused] = await Promise.all([
    usage.days(subject, firstDayOf(now)),
    exactly(keys),
    usage.spent(subject, now),
    usage.refused(subject, 50),
  ]);
  return {
    keys: keys.map((key) => keyReport(key, exact ?? noted, now)),
    days,
    refused: refused.map(({ at, keyId: _, ...call }) => ({ at: iso(at), ...call })),
  };
}

function keyReport(key: KeyRecord, spent: readonly Spent[], now: number) {
  const used = spent.find(({ keyId }) => keyId === key.id);
  const { name, display, kind, expiresAt } = key;
  return {
    name,
    display,
    kind,
    expiresAt: expiresAt === null ? null : iso(expiresAt),
    today: quota('requests', used?.requestsToday, key.requestsPerDay, periodOf('day', now).end),
    month: quota('tokens', used?.tokensThisMonth, key.tokensPerMonth, periodOf('month', now).end),
    stored: quota('bytes', used?.bytesToday, key.bytesPerDay, periodOf('day', now).end),
  };
}

const quota = (unit: string, used = 0, limit: number, resetsAt: number) => ({
  [unit]: used,
  limit,
  remaining: Math.max(0, limit - used),
  resetsAt: iso(resetsAt),
});

const iso = (time: number) => new Date(time).toISOString();
