/** The admission of one request: its surface's general limit, then its tools' own. */
import type { Caller } from '../core/caller.ts';
import type { Tool } from '../core/define-tool.ts';
import { ToolError } from '../core/errors.ts';
import type { Use } from '../core/usage-store.ts';
import { leftOf } from './left-for.ts';
import type { RememberingCounters } from './remembering-counters.ts';
import { reserve, rethrow } from './reserve.ts';
import type { Surface } from './surfaces.ts';
import {
  entryWants,
  furtherWants,
  keySubject,
  tokensAsk,
  tokensWants,
  toolWants,
  type Want,
} from './wants.ts';

/** Not noted when entered: what runs tools is noted under their names, and reading one's usage is none. */
const SILENT: ReadonlySet<Surface> = new Set<Surface>(['execution', 'chain', 'mcp', 'usage']);

/** Reading a body of this size takes a millisecond, which even a refused caller may cause. */
const SMALL_BODY_BYTES = 64 * 1024;

export class Gate {
  readonly #counters: RememberingCounters | null;
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
  /** Settled once all tokens spent so far are charged. */
  #charged: Promise<unknown> = Promise.resolve();

  /** `counters` is null where nothing is counted; `carry` gets the headers that the answer must have, `note` the usage. */
  constructor(
    counters: RememberingCounters | null,
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

  /**
   * Must be called before a JSON body is read. A request with a large body is counted now, one with a small body together
   * with its tool's limits. Throws 429.
   */
  async beforeBody({ headers }: Request): Promise<void> {
    const isSmall = Number(headers.get('Content-Length') ?? Number.NaN) <= SMALL_BODY_BYTES;
    await (isSmall ? this.refuseSpent() : this.enter());
  }

  /** Throws 429 if this isolate remembers that the general limit is spent. */
  async refuseSpent(): Promise<void> {
    const counters = this.#counters;
    if (!counters) return;
    const wants = this.#generalWants(1, false);
    if (wants.some(({ subject, ask }) => counters.wasSpent(subject, ask))) await this.enter();
  }

  /** Takes the units of the general limit that are missing to `cost`. Throws 429. */
  async enter(cost = 1, spendsTokens = false): Promise<void> {
    await this.#take(this.#generalWants(cost, spendsTokens));
    this.#units = Math.max(this.#units, cost);
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

  /** Runs the work of the request. A request that fails before it is admitted costs one unit of the general limit. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    return work().catch(async (error) => {
      if (error !== this.#refusal) {
        await this.ensureEntered();
        if (!this.#noted) this.#noteUse(this.#surface);
      }
      throw error;
    });
  }

  /**
   * Takes the units of these tools together with the missing units of the general limit. Units are never returned, so
   * everything that can be checked without work must be checked before. Throws 429, 401, or 503 if tools with their own
   * limits cannot be counted.
   */
  async admit(tools: readonly Tool[], cost = tools.length): Promise<void> {
    if (tools[0]) this.#tool = tools[0].name;
    const wants = this.#wantsOf(tools);
    const spends = tools.some((tool) => tool.spendsTokens === true);
    if (spends) await this.#charged;
    await this.#take([...wants, ...this.#generalWants(cost, spends)]);
    for (const { name } of tools) this.#noteUse(name);
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
      // The answer's headers have been sent already.
      await reserve(this.#counters, tokensWants(this.caller)).catch(rethrow(() => {}));
    } catch (error) {
      this.#noteRefusal(error, tool);
      throw error;
    }
  }

  /** The units of the general limit that are missing to `cost`. */
  #generalWants(cost: number, spendsTokens: boolean): Want[] {
    if (!this.#entered) return entryWants(this.#surface, this.caller, cost, spendsTokens);
    const more = cost - this.#units;
    return [
      ...(more > 0 ? furtherWants(this.#surface, this.caller, more) : []),
      ...(spendsTokens ? tokensWants(this.caller) : []),
    ];
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

  async #take(wants: readonly Want[]): Promise<void> {
    try {
      if (this.#counters && wants.length > 0) {
        this.#carry(await reserve(this.#counters, wants).catch(rethrow(this.#carry)));
      }
      this.#entered = true;
    } catch (thrown) {
      this.#refusal = thrown;
      this.#noteRefusal(thrown);
      throw thrown;
    }
  }
}
