/**
 * Controls the network access of a browser. Every request from a frame, worker or pop-up is intercepted and checked.
 * HTTP responses come from a guarded fetch. The browser opens no connections itself.
 */
import { badRequest, ToolError } from '../core/errors.ts';
import type { EgressPort } from '../core/ports.ts';
import { joinBytes } from '../lib/join-bytes.ts';
import type { Advertisements } from './advertisements.ts';
import { emptyError, whyNoPage } from './page-answer.ts';

/** The maximum number of requests per capture. The limit prevents a capture from flooding another server. */
const MAX_REQUESTS = 1000;
/** The limit on a capture's concurrent requests. A higher limit would delay other callers. */
const MAX_AT_ONCE = 32;
/** The maximum size of a response, in bytes. Larger responses are refused, and the page is rendered without them. */
const MAX_RESPONSE_BYTES = 10 * 2 ** 20;
/**
 * The maximum total size of the responses that all captures of an isolate hold, in bytes. Encoding them takes about
 * four times as much memory.
 */
const MAX_HELD_BYTES = 16 * 2 ** 20;
/**
 * The time limit for a subresource or an iframe, in milliseconds. Without it, an unresponsive third party could delay
 * a page.
 */
const REQUEST_MS = 12_000;
/** The time limit for a request to navigate to another page, in milliseconds. */
const NEXT_PAGE_MS = 20_000;
const NOT_SENT = /^(if-|range$|accept-encoding$|host$|connection$|content-length$|proxy-)/i;
const NOT_PASSED_ON = [
  'content-encoding',
  'content-length',
  'transfer-encoding',
  'alt-svc',
  'nel',
  'report-to',
];

/** The resource types that are scripts or that only scripts can request. */
const RUN = ['Script', 'XHR', 'Fetch'];
/**
 * Matches documents that may run scripts or load resources later. It also matches a zero byte, because the document may
 * then have an encoding that this pattern cannot read.
 */
const RUNNING =
  /\0|<script|<i?frame|<object|<embed|[\s/"']on[a-z]+\s*=|javascript:|loading\s*=|xml-stylesheet/i;

let heldBytes = 0;

/** The part of a CDP connection that the guard uses. */
export interface Cdp {
  send(method: string, params?: object): Promise<unknown>;
  on(event: 'Fetch.requestPaused', handler: (paused: Paused) => void): unknown;
}

interface Paused {
  requestId: string;
  frameId: string;
  resourceType: string;
  request: {
    url: string;
    method: string;
    headers: Record<string, string>;
    postDataEntries?: { bytes?: string }[];
  };
}

export class BrowserGuard {
  readonly #cdp: Cdp;
  readonly #egress: EgressPort;
  readonly #signal: AbortSignal;
  readonly #ads: Advertisements | undefined;
  #mainFrame: string | undefined;
  #page = '';
  /** The error of the latest request for the page itself, if that request failed. */
  #pageFailure: unknown;
  #hasPage = false;
  #openPages = 0;
  #pageAnsweredAt = 0;
  #hold = new AbortController();
  #mayRunScripts = false;
  #open = 0;
  #requests = 0;
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  #lastEnd = 0;
  /** The URLs that were not requested because they match the filter lists. */
  readonly refused = new Set<string>();

  /**
   * @param signal aborts all work in progress
   * @param ads if given, requests for advertisements are refused
   */
  constructor(cdp: Cdp, egress: EgressPort, signal: AbortSignal, ads: Advertisements | undefined) {
    this.#ads = ads;
    this.#cdp = cdp;
    this.#egress = egress;
    this.#signal = signal;
  }

  /** Starts the interception of all requests. */
  async start(): Promise<void> {
    this.#cdp.on('Fetch.requestPaused', (paused) => void this.#answer(paused));
    await this.#cdp.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
  }

  get pageFailure(): unknown {
    return this.#pageFailure;
  }

  /** Whether a request for a document that would replace the page is in progress. */
  get isPageOpen(): boolean {
    return this.#openPages > 0;
  }

  get pageAnsweredAt(): number {
    return this.#pageAnsweredAt;
  }

  /** Blocks requests for other documents until `releasePage` is called, so that no document replaces the page. */
  holdPage(): void {
    this.#hold.abort();
  }

  releasePage(): void {
    this.#hold = new AbortController();
  }

  /** Whether the page has loaded anything that may run scripts. */
  get mayRunScripts(): boolean {
    return this.#mayRunScripts;
  }

  /** Whether any request from the page is in progress. */
  get isLoading(): boolean {
    return this.#open > 0;
  }

  get isPageHeld(): boolean {
    return this.#hold.signal.aborted;
  }

  /** Returns the milliseconds since the last request ended, or 0 if a request is in progress. */
  get quietMs(): number {
    return this.#open > 0 ? 0 : Date.now() - this.#lastEnd;
  }

  async #answer(paused: Paused): Promise<void> {
    if (paused.resourceType === 'Document') this.#mainFrame ??= paused.frameId;
    const isPage = paused.resourceType === 'Document' && paused.frameId === this.#mainFrame;
    this.#open += 1;
    if (isPage) this.#openPages += 1;
    try {
      if (isPage) {
        this.#pageFailure = undefined;
        this.#page = paused.request.url;
      } else if (await this.#isAdvertisement(paused)) {
        throw badRequest('an advertisement');
      }
      this.#requests += 1;
      if (this.#requests > MAX_REQUESTS) throw new Error('too many requests');
      await this.#start();
      try {
        await this.#fulfill(paused, isPage);
      } finally {
        this.#finish();
      }
    } catch (error) {
      // The refusal may fail, because the browser may already be closed.
      await this.#refuse(paused.requestId, isPage, error).catch(() => {});
    } finally {
      this.#open -= 1;
      if (isPage) this.#openPages -= 1;
      this.#lastEnd = Date.now();
    }
  }

  async #start(): Promise<void> {
    if (this.#running < MAX_AT_ONCE) this.#running += 1;
    else await new Promise<void>((start) => this.#waiting.push(start));
  }

  /** Passes the slot of a finished request to the request that has waited longest. */
  #finish(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running -= 1;
  }

  /**
   * Throws if the first response is not a page that a browser can display, or if the current page must not be replaced.
   */
  async #passPage(status: number, size: number, noPage: ToolError | undefined): Promise<void> {
    const failure = noPage ?? (size === 0 && status >= 400 ? emptyError(status) : undefined);
    if (failure && !this.#hasPage) throw failure;
    this.#hasPage ||= status < 300 || status >= 400;
    this.#hold.signal.throwIfAborted();
  }

  /**
   * Refuses a request. If the request is for another page, the browser stays on the current page unless the error is a
   * ToolError.
   */
  async #refuse(requestId: string, isPage: boolean, error: unknown): Promise<void> {
    if (isPage) this.#pageAnsweredAt = Date.now();
    if (isPage && this.#hasPage && !(error instanceof ToolError)) {
      await this.#cdp.send('Fetch.fulfillRequest', { requestId, responseCode: 204 });
      return;
    }
    if (isPage) this.#pageFailure = error;
    await this.#cdp.send('Fetch.failRequest', { requestId, errorReason: reasonOf(error) });
  }

  #signalFor(isPage: boolean): AbortSignal {
    if (!isPage) return AbortSignal.any([this.#signal, AbortSignal.timeout(REQUEST_MS)]);
    if (!this.#hasPage) return this.#signal;
    return AbortSignal.any([this.#signal, this.#hold.signal, AbortSignal.timeout(NEXT_PAGE_MS)]);
  }

  async #isAdvertisement({ request: { url }, resourceType: type }: Paused): Promise<boolean> {
    if (!this.#ads || !/^https?:/.test(url)) return false;
    const is = await this.#ads.includes({ url, type, page: this.#page }, this.#signal);
    if (is) this.refused.add(url);
    return is;
  }

  async #fulfill({ requestId, request, resourceType }: Paused, isPage: boolean): Promise<void> {
    const url = new URL(request.url);
    if (!/^https?:$/.test(url.protocol)) {
      // Besides HTTP and HTTPS, only `data:` and `blob:` URLs are allowed, because loading them needs no network
      // access.
      if (!/^(data|blob):$/.test(url.protocol)) throw new Error('not an http or https URL');
      this.#mayRunScripts ||= resourceType === 'Document';
      await this.#cdp.send('Fetch.continueRequest', { requestId });
      return;
    }
    if (resourceType === 'EventSource') throw new Error('event streams never end');
    const signal = this.#signalFor(isPage);
    const headers = Object.entries(request.headers).filter(([name]) => !NOT_SENT.test(name));
    const response = await this.#egress.exchange(
      {
        url,
        method: request.method,
        headers: Object.fromEntries(headers),
        body: bodyOf(request.postDataEntries),
        within: this,
      },
      signal,
    );
    const held = { bytes: 0 };
    const release = () => {
      heldBytes -= held.bytes;
      held.bytes = 0;
    };
    // If the caller disconnects, the `finally` below may never run.
    this.#signal.addEventListener('abort', release, { once: true });
    try {
      const noPage = isPage ? whyNoPage(response.status, response.headers) : undefined;
      if (noPage) await response.body?.cancel().catch(() => {});
      const isFirstPage = isPage && !this.#hasPage;
      const body = await readHeld(noPage ? null : response.body, held, isFirstPage);
      this.#mayRunScripts ||=
        RUN.includes(resourceType) || (resourceType === 'Document' && mayRun(body));
      if (isPage) await this.#passPage(response.status, body.byteLength, noPage);
      if (isPage) this.#pageAnsweredAt = Date.now();
      await this.#cdp.send('Fetch.fulfillRequest', {
        requestId,
        // If the response is not a page, status 204 makes the browser keep the current page.
        responseCode: noPage ? 204 : response.status,
        responseHeaders: [...response.headers]
          .filter(([name]) => !NOT_PASSED_ON.includes(name))
          .map(([name, value]) => ({ name, value })),
        body: body.toBase64(),
      });
    } finally {
      release();
      this.#signal.removeEventListener('abort', release);
    }
  }
}

function bodyOf(entries: { bytes?: string }[] | undefined): Uint8Array | undefined {
  const parts = entries?.map(({ bytes }) => Uint8Array.fromBase64(bytes ?? ''));
  return (
    parts &&
    joinBytes(
      parts,
      parts.reduce((sum, part) => sum + part.byteLength, 0),
    )
  );
}

/**
 * Reads the body and adds its bytes to `held` and to the total of all captures. The caller must release them.
 * @param isFirstPage whether nothing can be captured without this body
 */
async function readHeld(
  body: ReadableStream<Uint8Array> | null,
  held: { bytes: number },
  isFirstPage: boolean,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body ?? []) {
    held.bytes += chunk.byteLength;
    heldBytes += chunk.byteLength;
    if (held.bytes > MAX_RESPONSE_BYTES && isFirstPage) throw pageTooLarge();
    if (held.bytes > MAX_RESPONSE_BYTES || heldBytes > MAX_HELD_BYTES) throw new Error('too large');
    chunks.push(chunk);
  }
  return joinBytes(chunks, held.bytes);
}

const pageTooLarge = () =>
  badRequest(`The page exceeds the limit of ${MAX_RESPONSE_BYTES / 2 ** 20} MB.`);

const mayRun = (document: Uint8Array): boolean =>
  RUNNING.test(new TextDecoder('latin1').decode(document));

function reasonOf(error: unknown): string {
  if (!(error instanceof ToolError)) return 'Failed';
  return error.status === 400 ? 'BlockedByClient' : 'ConnectionFailed';
}
