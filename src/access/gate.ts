/** The way in of one request: its surface's general limit, then its tools' own, and back again where it was no call. */
import type { Caller } from '../core/caller.ts';
import type { Counters } from '../core/counters.ts';
import type { Tool } from '../core/define-tool.ts';
import { ToolError } from '../core/errors.ts';
import { leftOf } from './left-for.ts';
import { Refusal, type Reservation, reserve } from './reserve.ts';
import type { Surface } from './surfaces.ts';
import type { Use } from './usage-recorder.ts';
import {
  entryWants,
  furtherWants,
  keySubject,
  requestsWants,
  tokensAsk,
  tokensWants,
  toolWants,
  type Want,
} from './wants.ts';

/** Answers that say that a call was malformed, or that nothing is here to run it: it costs one unit of the general limit and none of a tool's. */
const MALFORMED = [400, 413, 415, 501];
/** Not noted when entered: what runs tools is noted under their names, and reading one's usage is none. */
const SILENT: ReadonlySet<Surface> = new Set<Surface>(['execution', 'chain', 'mcp', 'usage']);

export class Gate {
  readonly #counters: Counters | null;
  readonly caller: Caller;
  readonly #surface: Surface;
  readonly #carry: (headers: Record<string, string>) => void;
  readonly #note: (use: Use) => void;
  #entered = false;
  /** Units of the general limit taken so far. */
  #units = 0;
  #refusal: unknown;
  /** What the caller's usage is noted under: the tool, or the surface where none was reached. */
  #tool: string;
  #noted = false;
  #admitted: Reservation | undefined;
  /** Settled once all tokens spent so far are charged. */
  #charged: Promise<unknown> = Promise.resolve();

  /** `counters` is null where nothing is counted; `carry` gets the headers that the answer must have, `note` the usage. */
  constructor(
    counters: Counters | null,
    caller: Caller,
    surface: Surface,
    carry: (headers: Record<string, string>) => void,
    note: (use: Use) => void,
  ) {
    this.#counters = counters;
    this.caller = caller;
    this.#surface = surface;
    this.#carry = carry;
    this.#note = note;
    this.#tool = surface;
  }

  /** Takes `cost` units of the general limit, which count towards what `admit` takes. Throws 429. */
  async enter(cost = 1, spendsTokens = false): Promise<void> {
    await this.#take(entryWants(this.#surface, this.caller, cost, spendsTokens));
    this.#units = cost;
    if (!SILENT.has(this.#surface)) this.#noteUse(this.#surface);
  }

  /** Notes a request that has come in and runs no tool: it has cost one of the day's, too. */
  noteRequest(): void {
    this.#noteUse(this.#surface);
  }

  /** Tells what is left, and takes nothing: to what is no call of this surface. Refuses nobody. */
  async tell(): Promise<void> {
    if (!this.#counters) return;
    const wants = entryWants(this.#surface, this.caller, 1, false);
    const headers = await leftOf(this.#counters, wants).catch(() => ({}));
    this.#carry(headers);
  }

  /** As `enter`, unless the request is in already. */
  async ensureEntered(): Promise<void> {
    if (!this.#entered) await this.enter();
  }

  /** Does the work of the request; a failure of it is settled, also with the tools that were admitted last. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    return work().catch(async (error) => {
      const admitted = this.#admitted;
      this.#admitted = undefined;
      await this.settle(error, admitted);
      throw error;
    });
  }

  /**
   * Takes what these tools want together with what of the general limit was not taken before. Throws 429, 401, or 503
   * where dear things cannot be counted. Outside `run`, hand what it gives to `settle`.
   */
  async admit(tools: readonly Tool[], cost = tools.length): Promise<Reservation | undefined> {
    if (tools[0]) this.#tool = tools[0].name;
    const wants = this.#wantsOf(tools);
    if (!this.#counters) {
      this.#entered = true;
      for (const { name } of tools) this.#noteUse(name);
      return undefined;
    }
    const spends = tools.some((tool) => tool.spendsTokens === true);
    if (!this.#entered) wants.push(...entryWants(this.#surface, this.caller, cost, spends));
    else {
      const more = cost - this.#units;
      if (more > 0) {
        wants.push(...furtherWants(this.#surface, this.caller, more));
        wants.push(...requestsWants(this.caller, more));
      }
      if (spends) wants.push(...tokensWants(this.caller));
    }
    if (spends) await this.#charged;
    const reservation = await this.#take(wants);
    for (const { name } of tools) this.#noteUse(name);
    this.#admitted = reservation;
    return reservation;
  }

  /** After a failure: a malformed call gives back its tools' units and has cost one of the general limit. */
  async settle(error: unknown, tools?: Reservation): Promise<void> {
    if (error === this.#refusal) return;
    await this.ensureEntered();
    if (!this.#noted) this.#noteUse(this.#surface);
    if (tools && error instanceof ToolError && MALFORMED.includes(error.status)) {
      this.#carry(await tools.releaseOwn());
    }
  }

  /** Charges model tokens to the key's month. Never throws: the call has run. */
  async spend(tokens: number, tool = this.#tool): Promise<void> {
    const { key } = this.caller;
    if (tokens > 0) this.#note({ ...this.#entry(tool), calls: 0, tokens });
    if (!this.#counters || !key || tokens <= 0) return;
    const charge = this.#counters
      .charge(keySubject(key.id), tokensAsk(key.tokensPerMonth, tokens))
      .catch((error) => {
        const event = { event: 'tokens-not-charged', tokens, cause: String(error) };
        console.error(JSON.stringify(event));
      });
    this.#charged = Promise.all([this.#charged, charge]);
    await charge;
  }

  /**
   * Before a tool of a chain or a job asks a model: throws 429 where the key's tokens of the month are spent by now,
   * 503 where that cannot be told.
   */
  async requireTokens(tool: string): Promise<void> {
    if (!this.#counters || !this.caller.key) return;
    await this.#charged;
    try {
      await reserve(this.#counters, tokensWants(this.caller));
    } catch (thrown) {
      const error = thrown instanceof Refusal ? thrown.error : thrown;
      this.#noteRefusal(error, tool);
      throw error;
    }
  }

  /** Throws 401 where a tool needs an account, and notes that. */
  #wantsOf(tools: readonly Tool[]): Want[] {
    try {
      return tools.flatMap((tool) => toolWants(tool, this.caller));
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

  async #take(wants: readonly Want[]): Promise<Reservation | undefined> {
    if (!this.#counters || wants.length === 0) {
      this.#entered = true;
      return undefined;
    }
    try {
      const reservation = await reserve(this.#counters, wants);
      this.#entered = true;
      this.#carry(reservation.headers);
      return reservation;
    } catch (thrown) {
      if (thrown instanceof Refusal) this.#carry(thrown.headers);
      this.#refusal = thrown instanceof Refusal ? thrown.error : thrown;
      this.#noteRefusal(this.#refusal);
      throw this.#refusal;
    }
  }
}
