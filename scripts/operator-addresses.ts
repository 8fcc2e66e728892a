/** Finds the operator's addresses, so that a block cannot lock the operator out. */
import { get as getHttp } from 'node:http';
import { get as getHttps } from 'node:https';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';

const LIMIT_MS = 10_000;

/**
 * Returns the IP addresses of this machine. A service on this machine sees one of them as the address of a caller on
 * the same machine.
 */
export const machineAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((found) =>
    (found ?? []).map(({ address }) => address),
  );

/**
 * Returns the public IPv4 and IPv6 addresses of this machine. Cloudflare reports them at `/cdn-cgi/trace` on every host
 * that it serves. Throws if it finds neither.
 */
export async function publicAddresses(baseUrl: string): Promise<string[]> {
  const url = new URL('/cdn-cgi/trace', baseUrl);
  const seen = await Promise.allSettled([traced(url, 4), traced(url, 6)]);
  const addresses = seen.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  if (addresses.length > 0) return addresses;
  throw new Error(
    `${url} does not report your address. Add --my-address ADDRESS, so that the block does not lock you out.`,
  );
}

async function traced(url: URL, family: 4 | 6): Promise<string[]> {
  const get = url.protocol === 'https:' ? getHttps : getHttp;
  const body = await new Promise<string>((resolve, reject) => {
    get(url, { family, signal: AbortSignal.timeout(LIMIT_MS) }, (answer) =>
      text(answer).then(resolve, reject),
    ).once('error', reject);
  });
  const address = /^ip=(\S+)$/m.exec(body)?.[1] ?? '';
  return isIP(address) ? [address] : [];
}
