/** The guarded way out at the edge: names are resolved over HTTPS and judged; Cloudflare's fetch then connects. */
import { farSideFailed } from '../core/errors.ts';
import type { EgressPort, EgressRequest, EgressResponse } from '../core/ports.ts';
import { resolveOverHttps } from '../web/dns-over-https.ts';
import { hostOf, isAddress, judgeAddresses, judgeUrl } from '../web/public-url.ts';

/** For one name, whoever waits for it. */
const RESOLVE_MS = 10_000;

export class EdgeEgress implements EgressPort {
  readonly agent: string;
  readonly #resolver: string;
  /** The names that have been judged, by what they were asked for within. */
  readonly #judged = new WeakMap<object, Map<string, Promise<void>>>();

  constructor(agent: string, resolver: string) {
    this.agent = agent;
    this.#resolver = resolver;
  }

  async exchange(request: EgressRequest, signal: AbortSignal): Promise<EgressResponse> {
    const { url, method = 'GET', headers = {}, body, within = request } = request;
    judgeUrl(url);
    const host = hostOf(url);
    if (!isAddress(host)) await this.#judge(host, within);
    signal.throwIfAborted();
    try {
      return await fetch(url, { method, headers, body, signal, redirect: 'manual' });
    } catch (error) {
      signal.throwIfAborted();
      throw farSideFailed(`${url.host} could not be fetched: it did not answer.`, error);
    }
  }

  /** Throws where the name has an address that is not public, or none. Only what is right is remembered. */
  #judge(host: string, within: object): Promise<void> {
    const known = this.#judged.get(within) ?? new Map<string, Promise<void>>();
    this.#judged.set(within, known);
    const judgement =
      known.get(host) ??
      resolveOverHttps(this.#resolver, host, AbortSignal.timeout(RESOLVE_MS)).then((addresses) =>
        judgeAddresses(host, addresses),
      );
    known.set(host, judgement);
    judgement.catch(() => known.delete(host));
    return judgement;
  }
}
