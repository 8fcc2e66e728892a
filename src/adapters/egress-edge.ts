/** The guarded way out at the edge: names are resolved over HTTPS and judged; Cloudflare's fetch then connects. */
import { farSideFailed } from '../core/errors.ts';
import type { EgressPort, EgressRequest, EgressResponse } from '../core/ports.ts';
import { resolveOverHttps } from '../web/dns-over-https.ts';
import { hostOf, isAddress, judgeAddresses, judgeUrl } from '../web/public-url.ts';

export class EdgeEgress implements EgressPort {
  readonly agent: string;
  readonly #resolver: string;

  constructor(agent: string, resolver: string) {
    this.agent = agent;
    this.#resolver = resolver;
  }

  async exchange(request: EgressRequest, signal: AbortSignal): Promise<EgressResponse> {
    const { url, method = 'GET', headers = {}, body } = request;
    judgeUrl(url);
    const host = hostOf(url);
    if (!isAddress(host)) {
      judgeAddresses(host, await resolveOverHttps(this.#resolver, host, signal));
    }
    try {
      return await fetch(url, { method, headers, body, signal, redirect: 'manual' });
    } catch (error) {
      signal.throwIfAborted();
      throw farSideFailed(`${url.host} could not be fetched: it did not answer.`, error);
    }
  }
}
