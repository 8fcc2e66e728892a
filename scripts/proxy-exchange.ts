/** Forwards one request to workerd, and the response to the client. */
import http from 'node:http';
import type { Socket } from 'node:net';
import { type FairStart, FairStarts } from './fair-starts.ts';
import { hold } from './held-sockets.ts';
import { JoinedPieces } from './joined-pieces.ts';
import { PacedStarts } from './paced-starts.ts';
import { type Refusal, type RefusalStatus, refusal } from './proxy-refusals.ts';
import { UpstreamAgent } from './upstream-agent.ts';

/**
 * How long the proxy keeps reading a request body after the response, in milliseconds. If the connection were closed
 * earlier, the client could lose the response.
 */
const LINGER_MS = 5000;
/** Bodies of up to this many bytes are buffered completely before they are forwarded. */
const SMALL_BODY_BYTES = 64 * 1024;
/** After this many chunks, the mean chunk size must be at least `MIN_MEAN_BYTES`. */
const MANY_PIECES = 10_000;
const MIN_MEAN_BYTES = 32;

export const TOO_MANY_UPLOADS: Refusal = [
  503,
  'Too many uploads are in progress. Try again in a few seconds.',
];

/** Headers that apply to one connection (RFC 9110, section 7.6.1), and `Expect`, which the proxy handles. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'proxy-connection', 'te', 'upgrade', 'expect'];

/** The maximum idle time of a connection to workerd, which closes idle connections itself after 15 seconds. */
const IDLE_MS = 10_000;
// The agent needs no limit on sockets, because the proxy already limits requests.
const agent = new UpstreamAgent({ keepAlive: true, timeout: IDLE_MS });
const largeStarts = new PacedStarts();
const smallStarts = new FairStarts();

interface Destination {
  target: URL;
  address: string;
  /** The network that contains the address. Slots are shared among networks. */
  network: string;
  /** The value of `Access-Control-Allow-Origin` on error responses. */
  grant: string | null;
}

export class Exchange {
  readonly socket: Socket;
  readonly network: string;
  /** True if the body is streamed, because it is large or of unknown length. */
  readonly isLarge: boolean;
  readonly #request: http.IncomingMessage;
  readonly #response: http.ServerResponse;
  readonly #destination: Destination;
  readonly #onEnd: () => void;
  readonly #onExpensiveBody: () => void;
  /** Undefined if the body is not streamed. */
  readonly #body: JoinedPieces | undefined;
  readonly #startedAt = performance.now();
  readonly #bytesAtStart: number;
  #hasStarted = false;
  #upstream: http.ClientRequest | undefined;
  #fairStart: FairStart | undefined;
  #ended = false;

  /**
   * @param onEnd called once, when the response is sent or the client has disconnected
   * @param onExpensiveBody called when the body becomes too expensive to parse
   */
  constructor(
    request: http.IncomingMessage,
    response: http.ServerResponse,
    destination: Destination,
    onEnd: () => void,
    onExpensiveBody: () => void,
  ) {
    this.#request = request;
    this.#response = response;
    this.#destination = destination;
    this.#onEnd = onEnd;
    this.#onExpensiveBody = onExpensiveBody;
    this.socket = request.socket;
    this.network = destination.network;
    this.#bytesAtStart = this.socket.bytesRead;
    this.isLarge = bodyBytes(request) > SMALL_BODY_BYTES;
    if (this.isLarge) {
      this.#body = new JoinedPieces(request, onExpensiveBody);
      this.#countPieces();
    }
    response.on('close', this.#end);
    // The socket also needs a listener, because a pipelined response that is waiting for an earlier one emits no event
    // when the connection closes.
    this.socket.on('close', this.#end);
  }

  /**
   * Returns `body` if the exchange is waiting for more of the request body, and `response` if it is waiting for the
   * client to read the response. Returns null if it has not started or is waiting for workerd.
   */
  waitsFor(): 'body' | 'response' | null {
    if (this.socket.writableLength > 0) return 'response';
    if (!this.#hasStarted || this.#request.complete || this.#upstream?.writableNeedDrain)
      return null;
    return 'body';
  }

  /**
   * Returns the mean rate at which the client has sent data since the request began, in bytes per millisecond. `now` is
   * in milliseconds.
   */
  meanRate(now: number): number {
    return (this.socket.bytesRead - this.#bytesAtStart) / Math.max(1, now - this.#startedAt);
  }

  /** Aborts this upload, so that another network can use its slot. */
  yield(): void {
    this.refuse(...TOO_MANY_UPLOADS);
  }

  /** Forwards the request. Call this when the earlier requests of its connection are finished. */
  start(): void {
    this.#hasStarted = true;
    if (this.isLarge) largeStarts.add(() => this.#stream());
    else if (bodyBytes(this.#request) > 0) this.#bufferBody();
    else this.#sendFairly();
  }

  /**
   * Responds with an error and closes the connection. If a response has already begun, only closes the connection.
   * @param readsOn whether to keep reading the body, so that the client can read the response
   */
  refuse(status: RefusalStatus, message: string, readsOn = true): void {
    this.#dropUpstream();
    const response = this.#response;
    if (response.headersSent) {
      this.socket.destroy();
      return;
    }
    const { headers, body } = refusal(status, message, this.#destination.grant);
    response.writeHead(status, { ...headers, Connection: 'close' });
    response.end(body);
    if (!readsOn) this.#body?.stop();
    else if (!this.#request.complete) this.#discardBody();
    // The slots are released immediately, because the client may read the error slowly.
    this.#end();
  }

  /** Refuses a body whose chunks are too small on average. */
  #countPieces(): void {
    let pieces = 0;
    let bytes = 0;
    this.#request.on('data', (piece: Buffer) => {
      pieces += 1;
      bytes += piece.length;
      if (this.#ended || pieces < MANY_PIECES || bytes >= pieces * MIN_MEAN_BYTES) return;
      const message = 'The request body arrived in too many small pieces. Send larger chunks.';
      this.refuse(400, message, false);
      hold(this.socket, this);
      this.#onExpensiveBody();
    });
  }

  /** Forwards the body as it arrives. Returns false if the exchange has ended or its response has begun. */
  #stream(): boolean {
    if (this.#ended || this.#response.headersSent) return false;
    const upstream = this.#openUpstream();
    this.#body?.forwardTo(upstream);
    // Node would send the headers only with the first bytes of the body, but a client may wait for a response before it
    // sends any.
    setImmediate(() => {
      if (!upstream.headersSent && !upstream.destroyed) upstream.flushHeaders();
    });
    return true;
  }

  /** Forwards the request after its whole body has arrived. */
  #bufferBody(): void {
    const chunks: Buffer[] = [];
    this.#request.on('data', (chunk: Buffer) => chunks.push(chunk));
    this.#request.on('end', () => {
      this.#sendFairly(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
    });
  }

  /** Forwards the request when its network gets a slot. */
  #sendFairly(body?: Buffer): void {
    if (this.#ended || this.#response.headersSent) return;
    this.#fairStart = smallStarts.enter(this.network, () => this.#openUpstream().end(body));
  }

  #openUpstream(): http.ClientRequest {
    const { target, address } = this.#destination;
    const request = this.#request;
    const headers: http.OutgoingHttpHeaders = { ...request.headers, 'cf-connecting-ip': address };
    for (const name of HOP_BY_HOP) delete headers[name];
    const path = originForm(request.url ?? '/', headers);
    const upstream = http.request({
      host: target.hostname,
      port: target.port,
      method: request.method,
      path,
      headers,
      agent,
    });
    upstream.on('response', (upstreamResponse) => this.#forwardResponse(upstreamResponse));
    upstream.on('error', () => {
      if (this.#upstream !== upstream) return;
      if (this.#isRepeatable(upstream)) this.#openUpstream().end();
      else this.#failUpstream();
    });
    this.#upstream = upstream;
    return upstream;
  }

  #forwardResponse(upstreamResponse: http.IncomingMessage): void {
    this.#fairStart?.responded();
    const response = this.#response;
    // The request may already have been refused.
    if (!this.#upstream || response.headersSent) {
      upstreamResponse.destroy();
      return;
    }
    const headers: http.OutgoingHttpHeaders = { ...upstreamResponse.headers };
    for (const name of HOP_BY_HOP) delete headers[name];
    response.writeHead(upstreamResponse.statusCode ?? 502, upstreamResponse.statusMessage, headers);
    upstreamResponse.pipe(response);
    upstreamResponse.on('error', () => response.destroy());
    upstreamResponse.on('end', () => {
      // workerd would otherwise parse the rest of the body as the next request on this connection.
      if (!this.#request.complete) this.#upstream?.destroy();
      // The agent may already have reused the socket for another request.
      this.#upstream = undefined;
    });
    if (!this.#request.complete) this.#discardBody();
  }

  /**
   * Whether to send the request again after it failed. If workerd closed an idle connection just before the request was
   * sent on it, the request was never processed. That cannot be told from a crash, so only GET and HEAD are repeated
   * (RFC 9112, section 9.3.1).
   */
  #isRepeatable(upstream: http.ClientRequest): boolean {
    const { method } = this.#request;
    const isSafe = (method === 'GET' || method === 'HEAD') && bodyBytes(this.#request) === 0;
    return isSafe && upstream.reusedSocket && !this.#response.headersSent;
  }

  #failUpstream(): void {
    this.#upstream = undefined;
    if (this.#response.headersSent) this.#response.destroy();
    else this.refuse(503, 'The service is starting or restarting. Try again in a moment.');
  }

  /** Reads and discards the rest of the body for up to `LINGER_MS`. */
  #discardBody(): void {
    const request = this.#request;
    this.#body?.stop();
    request.resume();
    const timer = setTimeout(() => this.socket.destroy(), LINGER_MS);
    request.on('close', () => clearTimeout(timer));
    this.#response.on('finish', () => {
      if (request.complete) clearTimeout(timer);
    });
  }

  readonly #end = (): void => {
    if (this.#ended) return;
    this.#ended = true;
    this.socket.off('close', this.#end);
    this.#fairStart?.end();
    if (!this.#response.writableFinished) this.#dropUpstream();
    this.#onEnd();
  };

  /**
   * Resets the connection to workerd, because workerd detects a disconnect only from a reset. Also destroys the
   * request, which may not have a socket yet.
   */
  #dropUpstream(): void {
    const upstream = this.#upstream;
    this.#upstream = undefined;
    upstream?.socket?.resetAndDestroy();
    upstream?.destroy();
  }
}

/** Returns the length of the request's body: 0 if there is no body, infinite if the length is unknown. */
function bodyBytes({ headers }: http.IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return Number.POSITIVE_INFINITY;
  return Number(headers['content-length'] ?? 0);
}

/** Returns the path and query. If the request target is a whole URL, also sets the host (RFC 9112, section 3.2.2). */
function originForm(target: string, headers: http.OutgoingHttpHeaders): string {
  if (target.startsWith('/') || target === '*') return target;
  const url = URL.parse(target);
  if (!url) return '/';
  headers.host = url.host;
  return url.pathname + url.search;
}
