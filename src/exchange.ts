/** One request on its way to its answer: its id, the services, and the headers that the answer must carry. */
import type { Gate } from './access/gate.ts';
import type { Surface } from './access/surfaces.ts';
import type { Services } from './services.ts';

/** Headers that scripts of other origins may read. */
const EXPOSED =
  'Accept-Ranges, Content-Disposition, Content-Length, Content-Range, ETag, Idempotent-Replayed, Location, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, X-Finish-Reason, X-Input-Bytes, X-Output-Bytes, X-Provider, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, X-Tool-Warnings';

const ALLOW_ORIGIN = 'Access-Control-Allow-Origin';

export class Exchange {
  readonly request: Request;
  readonly requestId = nextRequestId();
  /** Set before the first room sees the exchange. */
  services!: Services;
  readonly #carried: Record<string, string>;
  #handedOut = false;

  constructor(request: Request) {
    this.request = request;
    this.#carried = { 'X-Request-Id': this.requestId };
  }

  /** Adds headers that the answer must carry. */
  readonly carry = (headers: Record<string, string>): void => {
    Object.assign(this.#carried, headers);
  };

  /** Checks the host and the page that sent the request. Throws 421 and 403. */
  admitPage(): void {
    const { foreignPages } = this.services;
    const grant = foreignPages.grant(this.request);
    if (grant !== null) this.#carried[ALLOW_ORIGIN] = grant;
    foreignPages.check(this.request);
  }

  /** Whether scripts of the page that sent the request may read the answer. */
  get isGranted(): boolean {
    return ALLOW_ORIGIN in this.#carried;
  }

  /** Lets the request in by a surface: tells who calls, and gives the gate that counts. Throws 401 and 429. */
  arrive(surface: Surface): Gate | Promise<Gate> {
    return this.services.access.arrive(this.request, surface, this.carry);
  }

  /** Answers a request that comes in by a surface: what the work throws is counted by its gate (Gate.run). */
  answer(surface: Surface, work: (gate: Gate) => Promise<Response>): Promise<Response> {
    const inGate = (gate: Gate) => gate.run(() => work(gate));
    const gate = this.arrive(surface);
    return gate instanceof Promise ? gate.then(inGate) : inGate(gate);
  }

  /**
   * Aborts when the caller disconnects. workerd does not end a fetch by a request's own signal, but by one that is
   * derived from it.
   */
  callerSignal(): AbortSignal {
    return AbortSignal.any([this.request.signal]);
  }

  /** The headers of an answer: its own and what every answer carries. Cheaper than to set them on a made one. */
  headers(own: Record<string, string>): Record<string, string> {
    this.#handedOut = true;
    return Object.assign(own, this.#carried);
  }

  /** The answer with what every answer carries, also where it was made without `headers`. */
  complete(response: Response): Response {
    if (!this.#handedOut) {
      for (const name in this.#carried) response.headers.set(name, this.#carried[name]!);
    }
    // Only answers to these methods are cached.
    const { method, headers } = this.request;
    if ((method === 'GET' || method === 'HEAD') && this.services?.foreignPages.variesByOrigin) {
      response.headers.append('Vary', 'Origin');
    }
    if (this.isGranted && headers.has('Origin')) {
      response.headers.set('Access-Control-Expose-Headers', EXPOSED);
    }
    return response;
  }
}

let isolate = '';
let count = 0;

/** Unique, not secret: 64 random bits of the isolate and a number. A random UUID costs a hundredth of a small request. */
function nextRequestId(): string {
  isolate ||= crypto.randomUUID().replaceAll('-', '').slice(0, 16);
  count += 1;
  return `${isolate}-${count.toString(36)}`;
}
