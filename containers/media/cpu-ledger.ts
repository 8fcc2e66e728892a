/** Records the CPU time that each caller used during the last minute, and compares it with a budget (ADR 48). */

const WINDOW_MS = 60_000;
/** Charges within this many milliseconds are summed, so that many small calls require only a few entries. */
const STEP_MS = 1000;

/** The budget of each kind of caller, in CPU seconds per minute across all operations. */
const BUDGETS = new Map([
  ['address', 60],
  ['account', 240],
]);

export interface CallerBudget {
  /** An opaque identifier that is the same for all of a caller's calls. */
  key: string;
  /** The caller's budget in CPU seconds per minute. */
  cpuSeconds: number;
}

/**
 * Reads `X-Media-Caller`, which contains `address` or `account`, a space, and an opaque identifier. Returns undefined
 * if the header is missing or malformed. In that case, the caller is not charged.
 */
export function readCaller(header: string | undefined): CallerBudget | undefined {
  const [kind = '', name] = (header ?? '').split(' ');
  const cpuSeconds = BUDGETS.get(kind);
  return cpuSeconds && name ? { key: `${kind} ${name}`, cpuSeconds } : undefined;
}

interface Charge {
  /** The start of the interval to which the charge belongs, in milliseconds. */
  at: number;
  seconds: number;
}

export class CpuLedger {
  readonly #now: () => number;
  readonly #charges = new Map<string, Charge[]>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  charge(key: string, seconds: number): void {
    if (seconds <= 0) return;
    const at = Math.floor(this.#now() / STEP_MS) * STEP_MS;
    const charges = this.#charges.get(key) ?? [];
    const last = charges.at(-1);
    if (last?.at === at) last.seconds += seconds;
    else charges.push({ at, seconds });
    // Callers are ordered by their latest charge, so `#forget` can stop at the first caller with a recent charge.
    this.#charges.delete(key);
    this.#charges.set(key, charges);
    this.#forget();
  }

  /** Returns the CPU seconds used during the last minute. */
  spent(key: string): number {
    const since = this.#now() - WINDOW_MS;
    const charges = this.#charges.get(key) ?? [];
    return charges.reduce((sum, { at, seconds }) => (at > since ? sum + seconds : sum), 0);
  }

  isOver({ key, cpuSeconds }: CallerBudget): boolean {
    return this.spent(key) >= cpuSeconds;
  }

  /** Whether any other caller used CPU time during the last minute. */
  hasOthers(key: string): boolean {
    this.#forget();
    return this.#charges.size > (this.#charges.has(key) ? 1 : 0);
  }

  #forget(): void {
    const since = this.#now() - WINDOW_MS;
    for (const [key, charges] of this.#charges) {
      while (charges[0] && charges[0].at <= since) charges.shift();
      if (charges.length > 0) return;
      this.#charges.delete(key);
    }
  }
}

/** All queues share this ledger, because a budget covers every kind of work. */
export const CPU_LEDGER = new CpuLedger();
