/** The favicons port on an address that the operator configured; it does not pass the guard. */
import { badRequest, farSideFailed } from '../core/errors.ts';
import { MB } from '../core/limits.ts';
import type { FaviconsPort } from '../core/ports.ts';
import { readBounded } from '../lib/bounded-body.ts';

const MAX_BYTES = MB;

/** @param template an address with `{host}` in it, or undefined where there is no such service */
export const faviconProxy = (template: string | undefined): FaviconsPort => ({
  addressFor: (host) => template?.replaceAll('{host}', encodeURIComponent(host)),
  async fetch(address, signal) {
    const response = await fetch(address, { signal }).catch((error) => {
      signal.throwIfAborted();
      throw farSideFailed('The favicon service does not answer.', error);
    });
    if (!response.ok) throw farSideFailed(`The favicon service answers ${response.status}.`);
    return readBounded(response.body, MAX_BYTES, () => badRequest('It is too large.'));
  },
});
