/** Holds the state of one request, such as its ID, its record, the services and the headers of its response. */
import type { Admission } from './access/admission.ts';
import type { GeneralLimit } from './access/general-limits.ts';
import { CallOrigin, CallRecord } from './core/call-record.ts';
import type { Caller } from './core/caller.ts';
import { ToolError } from './core/errors.ts';
import type { LargeCall } from './core/large-call.ts';
import { logCause } from './lib/log.ts';
import type { Services } from './services.ts';

/** The response headers that scripts from other origins may read. */
const EXPOSED =
  'Accept-Ranges, Content-Disposition, Content-Length, Content-Range, ETag, Idempotent-Replayed, Location, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, X-File-Facts, X-Finish-Reason, X-Input-Bytes, X-Output-Bytes, X-Provider, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, X-Tool-Warnings';

const ALLOW_ORIGIN = 'Access-Control-Allow-Origin';

export class Exchange {
  readonly request: Request;
  readonly requestId = nextRequestId();
  readonly record: CallRecord;
  readonly #origin: CallOrigin;
  /** The services, which `begin` sets before any handler runs. */
  services!: Services;
  readonly #carried: Record<string, string>;
  #handedOut = false;
  #large: ReturnType<Services['largeCalls']['of']> | undefined;

  constructor(request: Request) {
    this.request = request;
    this.#origin = new CallOrigin(this.requestId, request);
    this.record = new CallRecord(this.#origin);
    this.#carried = { 'X-Request-Id': this.requestId };
  }

  /** Sets the services. Must be called before any handler. */
  begin(services: Services): void {
    this.services = services;
    this.#origin.sinks = services.calls;
  }

  /** Adds headers that the response must have. */
  readonly carry = (headers: Record<string, string>): void => {
    Object.assign(this.#carried, headers);
  };

  /** Checks the host and the page that sent the request. Throws 400, 403 or 421. */
  admitPage(): void {
    const { crossOriginPolicy } = this.services;
    const grant = crossOriginPolicy.grant(this.request);
    if (grant !== null) this.#carried[ALLOW_ORIGIN] = grant;
    crossOriginPolicy.check(this.request);
  }

  /** Whether scripts on the requesting page may read the response. */
  get isGranted(): boolean {
    return ALLOW_ORIGIN in this.#carried;
  }

  /** Whether the caller requests a job and does not wait for the result (`Prefer: respond-async`, RFC 7240 §4.1). */
  get prefersAsync(): boolean {
    return (this.request.headers.get('Prefer') ?? '')
      .split(',')
      .some((preference) => preference.split(';', 1)[0]!.trim().toLowerCase() === 'respond-async');
  }

  /**
   * Identifies the caller and returns the admission of the request, which is charged against `limit`. Throws 401, 403
   * or 429.
   */
  async startAdmission(limit: GeneralLimit): Promise<Admission> {
    this.record.setLimit(limit);
    const admission = await this.services.access.startAdmission(this.request, limit, this.carry);
    this.record.setCaller(admission.caller);
    return admission;
  }

  /**
   * Handles a request that is charged against `limit`. A request that fails before its admission is also charged
   * (`Admission.run`).
   */
  async answer(
    limit: GeneralLimit,
    work: (admission: Admission) => Promise<Response>,
  ): Promise<Response> {
    const admission = await this.startAdmission(limit);
    return admission.run(() => work(admission));
  }

  /**
   * Records that the request failed, logs the cause if the service failed, and returns the error. Rethrows an error that
   * is not a ToolError, because it is a defect and not for the caller.
   */
  fail(error: unknown): ToolError {
    if (!(error instanceof ToolError)) throw error;
    // A caller that disconnects is not a failure of the service.
    if (this.request.signal.aborted) this.record.abandon();
    else {
      this.record.fail(error);
      if (error.status >= 500 && error.cause) logCause(this.requestId, error.cause);
    }
    return error;
  }

  /** Returns the options of a tool's run for this request. Links are not fetched unless `linked` is added. */
  runOptions(admission: Admission, context: { waitUntil(work: Promise<unknown>): void }) {
    return {
      caller: admission.caller,
      requestId: this.requestId,
      record: this.record,
      large: () => this.large(admission.caller),
      spend: (tokens: number, tool: string) => context.waitUntil(admission.spend(tokens, tool)),
      signal: () => this.callerSignal(),
    };
  }

  large(caller: Caller): LargeCall {
    this.#large ??= this.services.largeCalls.of(caller, () => this.callerSignal());
    return this.#large;
  }

  /** The request's share of the capacity for large JSON, or undefined if the request holds none. */
  get heldLarge(): LargeCall | undefined {
    return this.#large?.isHeld ? this.#large : undefined;
  }

  /** Returns the response to send. After it is sent, the capacity for large JSON is released. */
  release(response: Response): Response {
    return this.#large?.isHeld ? this.#large.answer(response) : response;
  }

  /**
   * Returns a signal that aborts when the caller disconnects. The signal is derived from the request's signal, because
   * workerd does not abort a fetch that uses the request's signal directly.
   */
  callerSignal(): AbortSignal {
    return AbortSignal.any([this.request.signal]);
  }

  /**
   * Adds the common headers to the headers of a new response. This is faster than setting them on a finished response.
   */
  headers(own: Record<string, string>): Record<string, string> {
    this.#handedOut = true;
    return Object.assign(own, this.#carried);
  }

  /** Adds the common headers unless `headers` has added them, adds the CORS headers, and records the response. */
  complete(response: Response): Response {
    if (!this.#handedOut) {
      for (const name in this.#carried) response.headers.set(name, this.#carried[name]!);
    }
    // `Vary` is set only for these methods, because responses to other methods are not cached.
    const { method, headers } = this.request;
    if (
      (method === 'GET' || method === 'HEAD') &&
      this.services?.crossOriginPolicy.variesByOrigin
    ) {
      response.headers.append('Vary', 'Origin');
    }
    if (this.isGranted && headers.has('Origin')) {
      response.headers.set('Access-Control-Expose-Headers', EXPOSED);
    }
    this.#recordResponse(response);
    return response;
  }

  #recordResponse(response: Response): void {
    const { record, request } = this;
    record.bytesIn += Number(request.headers.get('Content-Length')) || 0;
    if (record.bytesOut === 0) record.sent(Number(response.headers.get('Content-Length')) || 0);
    if (!record.outlivesHead) record.end(response.status);
  }
}

let isolate = '';
let count = 0;

/**
 * Returns an ID that is unique but not secret. It consists of the first 16 digits of a random UUID per isolate and a
 * counter, because a random UUID per request would be 1% of the cost of a small request.
 */
function nextRequestId(): string {
  isolate ||= crypto.randomUUID().replaceAll('-', '').slice(0, 16);
  count += 1;
  return `${isolate}-${count.toString(36)}`;
}
