/** Admits a request and charges it against a general limit and its tools' own limits. */
import type { Caller } from '../core/caller.ts';
import type { KeyClaim } from '../core/counters.ts';
import type { Tool } from '../core/define-tool.ts';
import { ToolError } from '../core/errors.ts';
import type { Use } from '../core/usage-store.ts';
import { log } from '../lib/log.ts';
import {
  type Charge,
  callerSubject,
  entryCharges,
  furtherCharges,
  limitCharge,
  monthlyTokens,
  tokenCharges,
  toolCharges,
} from './charges.ts';
import type { GeneralLimit } from './general-limits.ts';
import { chargeQuotaHeaders } from './quota-headers.ts';
import { errorOf, KeyChanged } from './refusal.ts';
import {
  type OwnRequest,
  type RememberingCounters,
  type Reserved,
  reserve,
  rethrow,
} from './reserve.ts';

/**
 * The general limits whose requests are not recorded when the limit is charged. Tool calls are recorded under the
 * tool's name, and requests for the usage report are not recorded.
 */
const SILENT: ReadonlySet<GeneralLimit> = new Set<GeneralLimit>([
  'execution',
  'chain',
  'mcp',
  'usage',
]);

/** Reading a body of this size takes a millisecond, so it may be read before the caller is refused. */
const SMALL_BODY_BYTES = 64 * 1024;

export interface Credential {
  readonly claim: KeyClaim;
  /** Reads the key from the database again and updates the caller. Throws 401 if it was revoked or has expired. */
  renew(): Promise<void>;
}

/**
 * The admission of one request. Inside `run`, a surface calls `beforeBody` (or `chargeGeneral` if files are uploaded or
 * no tool runs), `recordAs` once the tool is known, `refuseIfToolExhausted` before linked files are opened, `admit`
 * when only the work can still fail, and `requireTokens` and `spend` while the tool runs.
 */
export class Admission {
  readonly #counters: RememberingCounters | null;
  readonly caller: Caller;
  readonly #limit: GeneralLimit;
  readonly #carry: (headers: Record<string, string>) => void;
  readonly #note: (use: Use) => void;
  readonly #credential: Credential | undefined;
  #isCharged = false;
  /** The units of the general limit that have been charged so far. */
  #units = 0;
  /** The lowest remaining quota that any limit on this request has reported so far. */
  #fewest = Number.POSITIVE_INFINITY;
  #refusal: unknown;
  /** The name in the usage record. This is the tool or, if the request has not reached a tool, the general limit. */
  #tool: string;
  #noted = false;
  /** Settles when all model tokens used so far have been charged. */
  #charged: Promise<unknown> = Promise.resolve();

  /**
   * `counters` is null if calls are not counted. `carry` receives headers for the response, and `note` receives the
   * usage.
   */
  constructor(
    counters: RememberingCounters | null,
    caller: Caller,
    limit: GeneralLimit,
    carry: (headers: Record<string, string>) => void,
    note: (use: Use) => void,
    credential?: Credential,
  ) {
    this.#counters = counters;
    this.caller = caller;
    this.#limit = limit;
    this.#carry = carry;
    this.#note = note;
    this.#credential = credential;
    this.#tool = limit;
  }

  /**
   * Charges a request whose JSON body is large or of unknown length. Other requests are charged later, with their tool.
   * Throws 429.
   */
  async beforeBody({ headers }: Request): Promise<void> {
    const isSmall = Number(headers.get('Content-Length') ?? Number.NaN) <= SMALL_BODY_BYTES;
    await (isSmall ? this.refuseIfExhausted() : this.chargeGeneral());
  }

  /** If the general limit is cached as exhausted in this isolate, charges it now. Throws 429. */
  async refuseIfExhausted(): Promise<void> {
    const counters = this.#counters;
    if (!counters) return;
    const charges = this.#generalCharges(1, false);
    if (charges.some(({ subject, quotaRequest }) => counters.wasSpent(subject, quotaRequest)))
      await this.chargeGeneral();
  }

  /** Throws 429 if a limit of the tool is cached as exhausted in this isolate. */
  async refuseIfToolExhausted(tool: Tool): Promise<void> {
    const counters = this.#counters;
    if (!counters) return;
    const spent = this.#chargesOf([tool]).some(({ subject, quotaRequest }) =>
      counters.spent(subject, quotaRequest),
    );
    if (spent) await this.admit([tool]);
  }

  /** Charges the general limit up to a total of `cost` units. Throws 429. */
  async chargeGeneral(cost = 1, spendsTokens = false): Promise<void> {
    const uses = SILENT.has(this.#limit) ? [] : [this.#entry(this.#limit)];
    await this.#take(() => this.#generalCharges(cost, spendsTokens), uses);
    this.#units = Math.max(this.#units, cost);
  }

  /** Sets the tool under whose name the request is recorded if it fails before `admit`. */
  recordAs(tool: Tool): void {
    this.#tool = tool.name;
  }

  /** Records a request that runs no tool but counts toward the daily quota. */
  recordRequest(): void {
    this.#noteUse(this.#limit);
  }

  /** Reports the limits. Consumes no units and never refuses a request. */
  async reportLimits(): Promise<void> {
    if (!this.#counters) return;
    const charges = entryCharges(this.#limit, this.caller, 1, false);
    try {
      this.#carry(await chargeQuotaHeaders(this.#counters.of, charges));
    } catch (error) {
      log('warn', 'limits-not-read', { cause: error });
    }
  }

  /** Charges one unit of the general limit if nothing has been charged yet. Throws 429. */
  async ensureCharged(): Promise<void> {
    if (!this.#isCharged) await this.chargeGeneral();
  }

  /** Runs the work of the request. A request that fails before it is admitted costs one unit of the general limit. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    return work().catch(async (error) => {
      if (error !== this.#refusal) {
        await this.ensureCharged();
        if (!this.#noted) this.#noteUse(this.#tool);
      }
      throw error;
    });
  }

  /**
   * Charges these tools' limits, one unit of each of `limits`, and enough units of the general limit to bring
   * its total to `cost`. Units are never refunded, so all checks that do not require running the work must come first.
   * Throws 429, 401, and 503 if calls cannot be counted and the tools have own limits or use tokens.
   */
  async admit(
    tools: readonly Tool[],
    cost = tools.length,
    limits: readonly GeneralLimit[] = [],
  ): Promise<void> {
    if (tools[0]) this.#tool = tools[0].name;
    const charges = this.#chargesOf(tools);
    const spends = tools.some((tool) => tool.spendsTokens === true);
    if (spends) await this.#charged;
    const also = limits.map((limit) => limitCharge(limit, this.caller, 1));
    const uses = tools.map(({ name }) => this.#entry(name));
    const all = () => [...charges, ...also, ...this.#generalCharges(cost, spends)];
    await this.#take(all, uses);
  }

  /**
   * Returns the total to pass to `admit` for a call that costs `cost` units. One unit has already been charged for the
   * batch that contains the call.
   */
  unitsWith(cost: number): number {
    return Math.max(cost, this.#units + cost - 1);
  }

  /** Charges model tokens to the key's monthly quota. Never throws, because the call has already run. */
  async spend(tokens: number, tool = this.#tool): Promise<void> {
    const { key } = this.caller;
    if (tokens <= 0) return;
    const use = { ...this.#entry(tool), calls: 0, tokens };
    if (!this.#counters || !key) return this.#note(use);
    const charge = this.#counters
      .of(callerSubject(this.caller))
      .charge(monthlyTokens(key.tokensPerMonth, tokens), use)
      .catch((error) => {
        log('error', 'tokens-not-charged', { tokens, cause: error });
      });
    this.#charged = Promise.all([this.#charged, charge]);
    await charge;
  }

  /**
   * Must be called before a tool in a chain or job calls a model. Throws 429 if the key has no monthly tokens left, and
   * 503 if the counters cannot be reached.
   */
  async requireTokens(tool: string): Promise<void> {
    if (!this.#counters || !this.caller.key) return;
    await this.#charged;
    try {
      // The response headers have already been sent, so the new headers are dropped.
      await reserve(this.#counters, tokenCharges(this.caller)).catch(rethrow(() => {}));
    } catch (error) {
      this.#noteRefusal(error, tool);
      throw error;
    }
  }

  /** Returns the charges that raise the request's total to `cost` units of the general limit. */
  #generalCharges(cost: number, spendsTokens: boolean): Charge[] {
    if (!this.#isCharged) return entryCharges(this.#limit, this.caller, cost, spendsTokens);
    const more = cost - this.#units;
    return [
      ...(more > 0 ? furtherCharges(this.#limit, this.caller, more) : []),
      ...(spendsTokens ? tokenCharges(this.caller) : []),
    ];
  }

  /** Throws 401 if a tool needs an account, and records the refusal. */
  #chargesOf(tools: readonly Tool[]): Charge[] {
    try {
      return tools.flatMap((tool) => toolCharges(tool, this.caller));
    } catch (error) {
      this.#noteRefusal(error);
      throw error;
    }
  }

  #entry(tool: string): Use {
    const { key, accountId = null } = this.caller;
    return { keyId: key?.id ?? null, accountId, tool };
  }

  #noteUse(tool: string): void {
    this.#noted = true;
    this.#note(this.#entry(tool));
  }

  #noteRefusal(error: unknown, tool = this.#tool): void {
    if (!(error instanceof ToolError)) return;
    this.#noted = true;
    const { status, code, message } = error;
    this.#note({ ...this.#entry(tool), refused: { status, code, message } });
  }

  /**
   * Takes the units and records the uses. If possible, one call to the caller's counters does both. Otherwise `note`
   * records the uses.
   */
  async #take(charges: () => readonly Charge[], uses: readonly Use[]): Promise<void> {
    try {
      const counters = this.#counters;
      const isRecorded = counters !== null && (await this.#reserve(counters, charges, uses));
      this.#isCharged = true;
      this.#noted ||= uses.length > 0;
      if (!isRecorded) for (const use of uses) this.#note(use);
    } catch (thrown) {
      this.#refusal = errorOf(thrown, this.#carry);
      this.#noteRefusal(this.#refusal);
      throw this.#refusal;
    }
  }

  /**
   * Reserves the charges. If the key has changed, reserves them again with its new quotas. Returns whether the uses are
   * recorded.
   */
  async #reserve(
    counters: RememberingCounters,
    charges: () => readonly Charge[],
    uses: readonly Use[],
  ): Promise<boolean> {
    const now = charges();
    if (now.length === 0) return false;
    let reserved: Reserved;
    try {
      reserved = await reserve(counters, now, this.#ownRequest(uses));
    } catch (error) {
      if (!(error instanceof KeyChanged)) throw error;
      await this.#credential?.renew();
      reserved = await reserve(counters, charges(), this.#ownRequest(uses));
    }
    this.#report(reserved.headers);
    // If the counters are unreachable, they cannot check the key's version, so the key is read from the database.
    if (!reserved.isCounted) await this.#credential?.renew();
    return reserved.isRecorded;
  }

  /** Reports the limit with the fewest remaining units, even if a request is charged in several steps. */
  #report(headers: Record<string, string>): void {
    const remaining = Number(headers['X-RateLimit-Remaining'] ?? Number.POSITIVE_INFINITY);
    if (remaining > this.#fewest) return;
    this.#fewest = remaining;
    this.#carry(headers);
  }

  /**
   * Returns the uses to record and the key to check in the call to the caller's counters. Returns undefined for an
   * anonymous caller.
   */
  #ownRequest(uses: readonly Use[]): OwnRequest | undefined {
    const { key, accountId } = this.caller;
    if (key === undefined && accountId === undefined) return undefined;
    return { subject: callerSubject(this.caller), uses, key: this.#credential?.claim };
  }
}
