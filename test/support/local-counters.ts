/** Provides rate-limit counters in memory, with a clock that the test sets. */
import { SubjectCounters } from '../../src/access/subject-counters.ts';
import type { Counters } from '../../src/core/counters.ts';
import type { Use } from '../../src/core/usage-store.ts';

export class LocalCounters {
  now = Date.UTC(2026, 10, 21, 12);
  readonly subjects = new Map<string, SubjectCounters>();
  /** If true, every request to the counters fails. */
  down = false;
  /** The number of requests to the counters. */
  requested = 0;
  /** The recorded usage entries. */
  uses: Use[] = [];

  readonly of = (subject: string): Counters => ({
    take: async (quotaRequests, uses = []) => {
      this.requested += 1;
      const verdict = this.#subject(subject).take(quotaRequests, this.now);
      if (verdict.allowed) this.uses.push(...uses);
      return verdict;
    },
    release: async (quotaRequests, at, uses = []) => {
      this.#subject(subject).release(quotaRequests, at);
      this.uses = this.uses.filter((use) => !uses.includes(use));
    },
    charge: async (quotaRequest, use) => {
      this.#subject(subject).charge(quotaRequest, this.now);
      if (use) this.uses.push(use);
    },
    forgetKey: async () => {},
    pendingUsage: async () => [],
    remainingQuotas: async (quotaRequests) =>
      this.#subject(subject).remainingQuotas(quotaRequests, this.now),
  });

  #subject(subject: string): SubjectCounters {
    if (this.down) throw new Error('out of reach');
    const counters = this.subjects.get(subject) ?? new SubjectCounters();
    this.subjects.set(subject, counters);
    return counters;
  }

  /** Returns the number of used units, by subject and policy. */
  used(): Record<string, number> {
    const used: Record<string, number> = {};
    for (const [subject, counters] of this.subjects) {
      const { windows, quotas } = counters.save();
      for (const [policy, , times] of windows)
        if (times.length) used[`${subject} ${policy}`] = times.length;
      for (const [policy, quota] of quotas)
        if (quota.used) used[`${subject} ${policy}`] = quota.used;
    }
    return used;
  }
}
