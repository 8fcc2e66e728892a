/** The address of the caller. */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * The caller's address. An IPv4 address on an IPv6 socket loses its prefix. Headers are trusted only if the operator's
 * own proxy is in front: the last forwarded address is the one that this proxy saw, while the client may have sent the
 * others itself.
 */
export function callerAddress(request: IncomingMessage, trustedProxy: boolean): string {
  const address = trustedProxy ? forwardedAddress(request) : null;
  return (address ?? request.socket.remoteAddress ?? '').replace(/^::ffff:(?=[\d.]+$)/, '');
}

function forwardedAddress({ headers }: IncomingMessage): string | null {
  const told = String(headers['x-forwarded-for'] ?? headers['cf-connecting-ip'] ?? '');
  const last = withoutPort(told.slice(told.lastIndexOf(',') + 1).trim());
  return isIP(last) ? last : null;
}

/** Some proxies write `203.0.113.7:4321` or `[2001:db8::1]:4321`. */
const withoutPort = (address: string) =>
  address.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
