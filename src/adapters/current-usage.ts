/** Adds usage that the counters have not written yet to the usage in the database. */
import { periodOf } from '../core/calendar.ts';
import type { CountersOf } from '../core/counters.ts';
import type { KeyStore } from '../core/key-store.ts';
import type { DayUsage, UsageEntry, UsageStore, UsageSubject } from '../core/usage-store.ts';
import { log } from '../lib/log.ts';

/** @param counters null if there are no rate limits. Each call is then written to the database within seconds. */
export function currentUsage(
  written: UsageStore,
  keys: Pick<KeyStore, 'list'>,
  counters: CountersOf | null,
): UsageStore {
  if (!counters) return written;
  const subjectsOf = async (subject: UsageSubject) => {
    if ('keyId' in subject) return [`key:${subject.keyId}`];
    const owned = await keys.list(subject.accountId);
    return [`account:${subject.accountId}`, ...owned.map(({ id }) => `key:${id}`)];
  };
  const pendingOf = async (subject: UsageSubject): Promise<UsageEntry[]> => {
    const subjects = await subjectsOf(subject);
    const pending = subjects.map((name) => counters(name).pendingUsage());
    return (await Promise.all(pending)).flat();
  };
  return {
    add: (entries) => written.add(entries),
    spent: (subject, now) => written.spent(subject, now),
    refused: (subject, atMost) => written.refused(subject, atMost),
    cleanUp: (now) => written.cleanUp(now),
    days: async (subject, firstDay) => {
      const [days, pending] = await Promise.all([
        written.days(subject, firstDay),
        pendingOf(subject).catch((error) => {
          log('error', 'usage-not-read', { cause: error });
          return [];
        }),
      ]);
      return added(days, pending);
    },
  };
}

/** Adds the pending usage to the daily usage. Sorts the result by day and then by tool. */
function added(days: readonly DayUsage[], pending: readonly UsageEntry[]): DayUsage[] {
  const sums = new Map(days.map((one) => [`${one.day} ${one.tool}`, { ...one }]));
  for (const { at, tool, calls = 0, tokens = 0 } of pending) {
    const day = periodOf('day', at).name;
    const sum = sums.get(`${day} ${tool}`) ?? { day, tool, calls: 0, refused: 0, tokens: 0 };
    sum.calls += calls;
    sum.tokens += tokens;
    sums.set(`${day} ${tool}`, sum);
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
}
