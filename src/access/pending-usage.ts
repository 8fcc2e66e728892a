/**
 * Collects the calls of a key or an account that are not in the database yet. There is one entry for each day, tool and
 * caller.
 */
import { periodOf } from '../core/calendar.ts';
import type { UsageEntry, Use } from '../core/usage-store.ts';

export class PendingUsage {
  readonly #entries = new Map<string, UsageEntry>();

  constructor(saved: readonly UsageEntry[] = []) {
    for (const entry of saved) this.#entries.set(nameOf(entry, entry.at), { ...entry });
  }

  get entries(): UsageEntry[] {
    return [...this.#entries.values()];
  }

  add(use: Use, at: number): void {
    const name = nameOf(use, at);
    const { calls = 0, tokens = 0 } = this.#entries.get(name) ?? {};
    const { keyId, accountId, tool } = use;
    const sum = { calls: calls + (use.calls ?? 1), tokens: tokens + (use.tokens ?? 0) };
    this.#entries.set(name, { keyId, accountId, tool, at, ...sum });
  }

  /** Removes a call that was added at `at`. */
  remove(use: Use, at: number): void {
    const entry = this.#entries.get(nameOf(use, at));
    if (entry?.calls) entry.calls -= 1;
  }

  /** Removes all entries and returns them. */
  drain(): UsageEntry[] {
    const { entries } = this;
    this.#entries.clear();
    return entries;
  }
}

const nameOf = ({ keyId, accountId, tool }: Use, at: number) =>
  JSON.stringify([periodOf('day', at).name, keyId, accountId, tool]);
