/** Determines the caller's IP address. */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** Represents an unknown caller. The unspecified address belongs to no host and is not a loopback address. */
const UNKNOWN = '0.0.0.0';

/**
 * Returns the caller's IP address. Removes the `::ffff:` prefix from an IPv4 address on an IPv6 socket. Headers are
 * trusted only behind the operator's own proxy. That proxy added only the last address in `X-Forwarded-For`; the client
 * may have sent the others. `CF-Connecting-IP` is used only if `X-Forwarded-For` is missing, because proxies other than
 * Cloudflare forward the header as the client sent it. A request with neither header bypassed the proxy, so the address
 * of its socket is returned. If the address in the header is invalid, returns UNKNOWN.
 */
export function callerAddress(request: IncomingMessage, trustedProxy: boolean): string {
  const address = trustedProxy ? forwardedAddress(request) : null;
  return (address ?? request.socket.remoteAddress ?? '').replace(/^::ffff:(?=[\d.]+$)/, '');
}

function forwardedAddress({ headers }: IncomingMessage): string | null {
  const forwarded = headers['x-forwarded-for'] ?? headers['cf-connecting-ip'];
  if (forwarded === undefined) return null;
  const addresses = String(forwarded);
  const last = withoutPort(addresses.slice(addresses.lastIndexOf(',') + 1).trim());
  return isIP(last) ? last : UNKNOWN;
}

/** Some proxies add the port, as in `203.0.113.7:4321` or `[2001:db8::1]:4321`. */
const withoutPort = (address: string) =>
  address.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
