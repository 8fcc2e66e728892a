/**
 * Implements the favicons port with the URL that the operator has configured. The URL may be on a private network, so
 * the address guard does not check it.
 */
import { badRequest, upstreamFailed } from '../core/errors.ts';
import { MB } from '../core/limits.ts';
import type { EgressPort, FaviconsPort } from '../core/ports.ts';
import { readBounded } from '../lib/body.ts';

const MAX_BYTES = MB;

/**
 * @param template a URL with `{host}`, or undefined if none is configured
 * @param testHosts the names in EGRESS_HOSTS, which can be reached only through `egress`
 */
export const faviconProxy = (
  template: string | undefined,
  testHosts: ReadonlyMap<string, string>,
  egress: EgressPort,
): FaviconsPort => ({
  addressFor: (host) => template?.replaceAll('{host}', encodeURIComponent(host)),
  async fetch(address, signal) {
    const url = new URL(address);
    const requested = testHosts.has(url.hostname)
      ? egress.exchange({ url }, signal)
      : fetch(url, { signal });
    const response = await requested.catch((error) => {
      signal.throwIfAborted();
      throw upstreamFailed('The favicon service is not responding. Try again later.', error);
    });
    if (response.status < 200 || response.status > 299) {
      throw upstreamFailed(`The favicon service returned status ${response.status}.`);
    }
    return readBounded(response.body, MAX_BYTES, () => badRequest('The favicon is too large.'));
  },
});
