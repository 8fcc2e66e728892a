/**
 * Fetches a URL that a caller has sent, through the address guard. Follows redirects, and limits the time and the size.
 */
import { badRequest, ToolError, upstreamFailed, upstreamTimedOut } from '../core/errors.ts';
import type { EgressPort, EgressResponse } from '../core/ports.ts';
import { readBounded } from '../lib/body.ts';
import { isWeb, MAX_ADDRESS } from './public-url.ts';

const REDIRECTS = [301, 302, 303, 307, 308];

export interface Followed {
  /** The URL after redirects. */
  url: URL;
  response: EgressResponse;
}

/** Requests a URL with GET. Follows at most `redirects` redirects, each of which is checked like the first URL. */
export async function fetchFollowing(
  egress: EgressPort,
  address: URL,
  options: { accept: string; redirects: number; within?: object },
  signal: AbortSignal,
): Promise<Followed> {
  const headers = {
    'User-Agent': egress.agent,
    Accept: options.accept,
    'Accept-Encoding': ENCODINGS,
  };
  let url = address;
  for (let followed = 0; ; followed += 1) {
    const response = await egress.exchange({ url, headers, within: options.within }, signal);
    const location = response.headers.get('Location');
    if (!REDIRECTS.includes(response.status) || location === null) return { url, response };
    await response.body?.cancel().catch(() => {});
    if (followed === options.redirects) {
      throw badRequest(
        `The URL redirects more than ${options.redirects} times. Use the final URL.`,
      );
    }
    url = targetOf(location, url);
  }
}

const ENCODINGS = 'gzip, br';

/**
 * Returns the target of a redirect. If the target has no fragment, it inherits the fragment of the request (RFC 9110,
 * section 10.2.2).
 */
function targetOf(location: string, from: URL): URL {
  const url = URL.parse(location.slice(0, MAX_ADDRESS), from.href);
  if (!url || !isWeb(url)) {
    throw badRequest('The URL redirects to a target that is not an http or https URL.');
  }
  if (url.hash === '') url.hash = from.hash;
  url.username = '';
  url.password = '';
  if (location.length > MAX_ADDRESS || url.href.length > MAX_ADDRESS) {
    throw badRequest(`The URL redirects to a URL of more than ${MAX_ADDRESS} characters.`);
  }
  return url;
}

/** Reads the whole body. Throws the error that `tooLarge` returns as soon as the body exceeds `most` bytes. */
export async function readWhole(
  response: EgressResponse,
  most: number,
  tooLarge: () => ToolError,
): Promise<Uint8Array> {
  if (Number(response.headers.get('Content-Length')) > most) {
    await response.body?.cancel().catch(() => {});
    throw tooLarge();
  }
  return readBounded(response.body, most, tooLarge);
}

/**
 * Runs work that waits for an upstream, for at most `seconds`. Throws 504 on a timeout. Rethrows a ToolError with
 * `param`, and converts any other error to 502, because the upstream has usually closed the connection.
 */
export async function waitForUpstream<T>(
  seconds: number,
  param: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = AbortSignal.timeout(seconds * 1000);
  try {
    return await work(AbortSignal.any([signal, deadline]));
  } catch (error) {
    signal.throwIfAborted();
    if (deadline.aborted) {
      const message = `The response from the URL took longer than ${seconds} seconds. Try again later.`;
      throw upstreamTimedOut(message).naming(param);
    }
    if (error instanceof ToolError) throw error.naming(param);
    throw upstreamFailed('The response from the URL was cut off. Try again.', error).naming(param);
  }
}
