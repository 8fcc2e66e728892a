/** Decides whether a URL, in any spelling, is a short link of this service. */
import { isReservedPath } from '../core/reserved-paths.ts';

const LOOPBACK =
  /^(localhost|.+\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/;

export function isOwnShortLink(url: URL, baseUrl: string): boolean {
  const base = new URL(baseUrl);
  const basePath = base.pathname.replace(/\/$/, '');
  if (!isSameHost(url, base) || !url.pathname.startsWith(`${basePath}/`)) return false;
  const path = /^\/([A-Za-z0-9_-]{3,32})\/?$/.exec(decoded(url.pathname.slice(basePath.length)));
  // The site's own pages are not short links.
  return path !== null && !isReservedPath(path[1] ?? '');
}

/** Compares the hosts. The scheme does not matter, because http redirects to https. */
function isSameHost(one: URL, other: URL): boolean {
  if (one.port !== other.port) return false;
  const [host, otherHost] = [hostOf(one), hostOf(other)];
  return host === otherHost || (LOOPBACK.test(host) && LOOPBACK.test(otherHost));
}

/** Removes a trailing dot, which stands for the DNS root and does not change the name. */
const hostOf = (url: URL) => url.hostname.replace(/\.$/, '');

/** Decodes the path as the router does. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
