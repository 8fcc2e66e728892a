/**
 * Sends guarded requests from Cloudflare's edge. Names are resolved over HTTPS and checked before Cloudflare's `fetch`
 * connects.
 */
import { unavailable, upstreamFailed } from '../core/errors.ts';
import type { EgressPort, EgressRequest, EgressResponse } from '../core/ports.ts';
import { resolveOverHttps } from '../web/dns-over-https.ts';
import { checkAddresses, checkUrl, hostOf, isAddress } from '../web/public-url.ts';

/**
 * The time limit for resolving a name, in milliseconds. Callers that are waiting for the same name share the result.
 */
const RESOLVE_MS = 10_000;

export class EdgeEgress implements EgressPort {
  readonly agent: string;
  readonly #resolver: string;
  readonly #resolveMs: number;
  /** The names that have already been checked in each group of requests (`within`). */
  readonly #checked = new WeakMap<object, Map<string, Promise<void>>>();

  constructor(agent: string, resolver: string, resolveMs = RESOLVE_MS) {
    this.agent = agent;
    this.#resolver = resolver;
    this.#resolveMs = resolveMs;
  }

  async exchange(request: EgressRequest, signal: AbortSignal): Promise<EgressResponse> {
    const { url, method = 'GET', headers = {}, body, within = request } = request;
    checkUrl(url);
    const host = hostOf(url);
    if (!isAddress(host)) await unlessAborted(this.#check(host, within), signal);
    try {
      return await fetch(url, { method, headers, body, signal, redirect: 'manual' });
    } catch (error) {
      signal.throwIfAborted();
      throw upstreamFailed(`${url.host} could not be fetched: it did not respond.`, error);
    }
  }

  /** Throws if the name does not resolve or resolves to a non-public address. Only successes are cached. */
  #check(host: string, within: object): Promise<void> {
    const known = this.#checked.get(within) ?? new Map<string, Promise<void>>();
    this.#checked.set(within, known);
    const outcome = known.get(host) ?? this.#resolve(host);
    known.set(host, outcome);
    outcome.catch(() => known.delete(host));
    return outcome;
  }

  async #resolve(host: string): Promise<void> {
    const limit = AbortSignal.timeout(this.#resolveMs);
    const addresses = await resolveOverHttps(this.#resolver, host, limit).catch((error) => {
      throw limit.aborted ? unavailable('Name resolution timed out. Try again.', 5, error) : error;
    });
    checkAddresses(host, addresses);
  }
}

/** Returns the result of shared work. If this caller's signal aborts, rejects with the signal's reason. */
async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
