/** Rate-limit counters in this process, with a clock that a test sets. */
import { SubjectCounters } from '../../src/access/subject-counters.ts';
import type { Counters } from '../../src/core/counters.ts';
import type { Use } from '../../src/core/usage-store.ts';

export class LocalCounters {
  now = Date.UTC(2026, 10, 21, 12);
  readonly subjects = new Map<string, SubjectCounters>();
  /** Whether every request fails. */
  down = false;
  /** The number of requests that asked for units. */
  requested = 0;
  /** The recorded uses, with their units. */
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

  /** Returns the units in use, by policy and subject. */
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
