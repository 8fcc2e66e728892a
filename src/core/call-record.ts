/**
 * The record of one call. A call is a request, or a part of a request that runs separately: a step of a chain, a
 * message of a batch, or an attempt of a job. The record is filled while the call runs and written to the sinks when
 * the call ends.
 */
import type { Caller } from './caller.ts';
import type { ErrorCode } from './errors.ts';
import { Trace } from './trace.ts';

export type CallerKind = 'anonymous' | 'trial' | 'account';

/** The data about a call that an operator sees. It never contains the caller's IP address, key, text or file names. */
export interface CallEvent {
  readonly requestId: string;
  readonly trace: Trace;
  /** Whether the call is logged even if it succeeds. */
  readonly sampled: boolean;
  /**
   * The tool's name. For a call without a tool, the general limit that was charged (`search`, `mcp`, …), `batch`,
   * `page` or `other`.
   */
  readonly tool: string;
  readonly surface: 'rest' | 'mcp' | 'chain' | 'job' | 'site';
  /**
   * The HTTP status, or 499 if the caller disconnected or cancelled. A tool's error over MCP or in a chain has the
   * status that REST would return.
   */
  readonly status: number;
  readonly code: ErrorCode | '';
  /**
   * The time in milliseconds until the head of the response, or until its end if the call reports progress.
   * Cloudflare's clocks do not advance during computation, so the time excludes it there.
   */
  readonly durationMs: number;
  /** The total size of the request body and of linked files, in bytes. */
  readonly bytesIn: number;
  /** The size of the result in bytes, or 0 if it is unknown when the response starts. */
  readonly bytesOut: number;
  /** The time in milliseconds that calls waited in a media worker's queue. */
  readonly mediaWaitMs: number;
  /** The duration of calls to the media worker in milliseconds, excluding the time in its queue. */
  readonly mediaRunMs: number;
  /** The model provider that responded. */
  readonly provider: string;
  /** The Cloudflare data center. Empty on other platforms. */
  readonly colo: string;
  readonly caller: CallerKind;
}

export interface CallSink {
  /** Called once at the end of a call. It must be fast, because it delays the response. */
  write(event: CallEvent): void;
}

/** All sinks of a service, combined into one sink. */
export interface CallSinks extends CallSink {
  /** The share of successful calls that are logged, from 0 to 1. */
  readonly sampleRate: number;
}

interface OriginRequest {
  headers: Headers;
  cf?: unknown;
}

/** The request or job that calls belong to. Values that only a few calls need are computed on demand. */
export class CallOrigin {
  readonly requestId: string;
  /** The sinks. Undefined if the service is not configured. */
  sinks: CallSinks | undefined;
  readonly #request: OriginRequest;
  #trace: Trace | undefined;
  #sampled: boolean | undefined;

  constructor(requestId: string, request: OriginRequest, sinks?: CallSinks) {
    this.requestId = requestId;
    this.#request = request;
    this.sinks = sinks;
  }

  get trace(): Trace {
    this.#trace ??= new Trace(this.#request.headers.get('traceparent'), this.sampled);
    return this.#trace;
  }

  get sampled(): boolean {
    this.#sampled ??= Math.random() < (this.sinks?.sampleRate ?? 0);
    return this.#sampled;
  }

  get colo(): string {
    return (this.#request.cf as { colo?: string } | undefined)?.colo ?? '';
  }
}

export class CallRecord implements CallEvent {
  tool = 'other';
  surface: CallEvent['surface'] = 'rest';
  caller: CallerKind = 'anonymous';
  status = 0;
  code: ErrorCode | '' = '';
  durationMs = 0;
  bytesIn = 0;
  bytesOut = 0;
  mediaWaitMs = 0;
  mediaRunMs = 0;
  provider = '';
  /** Whether the call continues after the head of its response. If so, the code that runs the call ends the record. */
  outlivesHead = false;
  readonly #origin: CallOrigin;
  readonly #started = Date.now();

  constructor(origin: CallOrigin) {
    this.#origin = origin;
  }

  get requestId(): string {
    return this.#origin.requestId;
  }

  get trace(): Trace {
    return this.#origin.trace;
  }

  get sampled(): boolean {
    return this.#origin.sampled;
  }

  get colo(): string {
    return this.#origin.colo;
  }

  /** Returns the record of a call nested in this one. */
  part(tool: string, surface: CallEvent['surface']): CallRecord {
    const part = new CallRecord(this.#origin);
    part.tool = tool;
    part.surface = surface;
    part.caller = this.caller;
    return part;
  }

  /** Records the general limit to which the request is charged. A call without a tool is recorded under this name. */
  setLimit(limit: string): void {
    this.tool = limit;
    if (this.surface === 'rest' && (limit === 'mcp' || limit === 'chain')) this.surface = limit;
  }

  /** Attributes the call to the site, which handles every path that the API does not define. */
  onSite(): void {
    this.tool = 'page';
    this.surface = 'site';
  }

  setCaller({ key, accountId }: Caller): void {
    if (accountId !== undefined) this.caller = 'account';
    else if (key) this.caller = 'trial';
  }

  received(files: readonly { size: number }[]): void {
    for (const { size } of files) this.bytesIn += size;
  }

  sent(bytes: number): void {
    this.bytesOut = bytes;
  }

  fail({ status, code }: { status: number; code: ErrorCode }): void {
    this.status = status;
    this.code = code;
  }

  answeredBy(provider: string): void {
    this.provider = provider;
  }

  /** Records that the caller disconnected or cancelled the call (nginx's status 499). */
  abandon(): void {
    this.status = 499;
  }

  /** Records a response from the media worker. */
  usedMedia(waitMs: number, totalMs: number): void {
    this.mediaWaitMs += waitMs;
    this.mediaRunMs += Math.max(0, totalMs - waitMs);
  }

  /** Ends the record. Must be called exactly once. `status` is ignored if the call has failed or was abandoned. */
  end(status = 200): void {
    this.status ||= status;
    this.durationMs = Date.now() - this.#started;
    this.#origin.sinks?.write(this);
  }
}
