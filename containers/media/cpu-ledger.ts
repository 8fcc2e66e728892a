/** The CPU time that each caller has caused over the last minute, and who has caused more than the budget. */

const WINDOW_MS = 60_000;
/** Charges are added up by the second, so that a caller of many small calls is a short list. */
const STEP_MS = 1000;

/** CPU seconds a minute over all operations, by the kind of the caller. */
const BUDGETS = new Map([
  ['address', 60],
  ['account', 240],
]);

/** A caller as the queues see one. */
export interface CallerBudget {
  /** Opaque; the same for all calls of one caller. */
  key: string;
  /** CPU seconds a minute. */
  cpuSeconds: number;
}

/** The caller of `X-Media-Caller`: `address` or `account`, and an opaque name. Undefined where there is none to be told apart. */
export function readCaller(header: string | undefined): CallerBudget | undefined {
  const [kind = '', name] = (header ?? '').split(' ');
  const cpuSeconds = BUDGETS.get(kind);
  return cpuSeconds && name ? { key: `${kind} ${name}`, cpuSeconds } : undefined;
}

interface Charge {
  /** In milliseconds, the step's beginning. */
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
    // The one charged last stands last: forgetting begins with those that have done nothing for longest.
    this.#charges.delete(key);
    this.#charges.set(key, charges);
    this.#forget();
  }

  /** CPU seconds over the last minute. */
  spent(key: string): number {
    const since = this.#now() - WINDOW_MS;
    const charges = this.#charges.get(key) ?? [];
    return charges.reduce((sum, { at, seconds }) => (at > since ? sum + seconds : sum), 0);
  }

  isOver({ key, cpuSeconds }: CallerBudget): boolean {
    return this.spent(key) >= cpuSeconds;
  }

  /** Whether anybody else has caused work over the last minute. */
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

/** One for all queues: the budget is over all operations together. */
export const CPU_LEDGER = new CpuLedger();
