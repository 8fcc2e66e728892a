/** Rate-limit counters in this process, with a clock that a test sets. */
import { SubjectCounters } from '../../src/access/subject-counters.ts';
import type { Counters } from '../../src/core/counters.ts';

export class LocalCounters {
  now = Date.UTC(2026, 10, 21, 12);
  readonly subjects = new Map<string, SubjectCounters>();
  /** Whether every request fails. */
  down = false;
  /** The number of requests for units. */
  requested = 0;

  readonly of = (subject: string): Counters => ({
    take: async (quotaRequests) => {
      this.requested += 1;
      return this.#subject(subject).take(quotaRequests, this.now);
    },
    release: async (quotaRequests, at) => this.#subject(subject).release(quotaRequests, at),
    charge: async (quotaRequest) => this.#subject(subject).charge(quotaRequest, this.now),
    remainingQuotas: async (quotaRequests) =>
      this.#subject(subject).remainingQuotas(quotaRequests, this.now),
  });

  #subject(subject: string): SubjectCounters {
    if (this.down) throw new Error('out of reach');
    const counters = this.subjects.get(subject) ?? new SubjectCounters();
    this.subjects.set(subject, counters);
    return counters;
  }

  /** The units in use, by policy and subject. */
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
