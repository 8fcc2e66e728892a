/** Decides which addresses are public. URLs are parsed with the platform's URL parser first. */
import ipaddr from 'ipaddr.js';
import { badRequest, type ToolError } from '../core/errors.ts';

/** The maximum length of a URL, in characters. Most servers refuse longer URLs. */
export const MAX_ADDRESS = 8192;
/** The maximum length of a host name in characters, without the trailing dot (RFC 1035, section 2.3.4). */
const MAX_HOST = 253;

/** The ports that web pages use. A service on another port may be public by accident. */
const PORTS = ['', '80', '443', '8080', '8443'];

/** The block of all assigned global unicast addresses (RFC 4291, section 2.4; IANA). */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

/**
 * Parses a URL that a caller sent. It must be an absolute http or https URL. If `bare` is true, it may also be a
 * domain, for which https is assumed. Credentials are removed. Throws a 400 that names `param`.
 */
export function parseWebUrl(text: string, param: string, bare = false): URL {
  if (text.length > MAX_ADDRESS) {
    throw badRequest(`The ${param} has more than ${MAX_ADDRESS} characters.`, param);
  }
  const url = URL.parse(bare ? withScheme(text) : text);
  if (!url || !isWeb(url)) {
    throw badRequest(
      `The ${param} must be a URL that begins with http:// or https://, such as https://example.com/page.`,
      param,
    );
  }
  url.username = '';
  url.password = '';
  return url;
}

/** Adds https to a bare domain. A domain with a port is not read as a scheme. */
export function withScheme(text: string): string {
  const trimmed = text.trim();
  const bare = !/^[a-z][a-z\d+.-]*:(?!\d)/i.test(trimmed);
  return bare ? `https://${trimmed.replace(/^\/\//, '')}` : trimmed;
}

export const isWeb = (url: URL): boolean => url.protocol === 'http:' || url.protocol === 'https:';

/** Returns the host without a trailing dot and without the brackets of an IPv6 address. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

/** Whether a host is an IP address. The host must be in the form that the URL parser returns. */
export const isAddress = (host: string): boolean => ipaddr.isValid(host);

/**
 * Throws 400 if the scheme, port or host cannot be public. No name is resolved. If `param` is given, the error names
 * it.
 */
export function checkUrl(url: URL, param?: string): void {
  if (!isWeb(url)) throw unsafe(`${url.protocol} is neither http nor https`, param);
  checkHost(url, param);
  if (PORTS.includes(url.port)) return;
  throw unsafe(`port ${url.port} is not one of 80, 443, 8080, 8443`, param);
}

/** Throws 400 if the host itself is not public. If `param` is given, the error names it. */
export function checkHost(url: URL, param?: string): void {
  const host = hostOf(url);
  // The URL parser accepts "." as a host.
  if (host === '') throw unsafe('it has no host name', param);
  if (host.length > MAX_HOST) throw unsafe(`its host has more than ${MAX_HOST} characters`, param);
  if (isAddress(host)) checkAddresses(host, [host], param);
  if (/(^|\.)localhost$/i.test(host)) throw unsafe(`${host} refers to this machine`, param);
}

/** Throws 400 if any address to which `host` resolved is not global unicast. */
export function checkAddresses(host: string, addresses: readonly string[], param?: string): void {
  if (!addresses.every(isPublicAddress)) {
    throw unsafe(
      `${host} points to a loopback, private, link-local or otherwise reserved address`,
      param,
    );
  }
}

/** Whether an IPv4 or IPv6 address is a global unicast address without a special purpose. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_IPV6);
}

const unsafe = (reason: string, param?: string): ToolError =>
  badRequest(`The URL is refused: ${reason}. Only public URLs are allowed.`, param);
