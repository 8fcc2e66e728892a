/**
 * Parses `ALLOWED_HOSTS` and `ALLOWED_ORIGINS`: the hosts for which the service answers, and the web pages that may
 * call it.
 */
import { isLoopbackHost } from './egress-hosts.ts';

/** The hosts and origins in normalized form. */
export interface AllowedOrigins {
  /** Host names without ports. Loopback names are always allowed. */
  hosts: ReadonlySet<string> | 'any';
  origins: ReadonlySet<string> | 'any';
  /** Whether pages on a loopback host may call the service from any port. */
  loopbackPages: boolean;
}

/** Parses `ALLOWED_HOSTS` and `ALLOWED_ORIGINS` for a service at `baseUrl` with its files at `storageUrl`. */
export function readAllowedOrigins(
  hosts: string | undefined,
  origins: string | undefined,
  baseUrl: string,
  storageUrl: string,
): AllowedOrigins {
  const own = [new URL(baseUrl), new URL(storageUrl)];
  // A deployment with an https URL is public. Any other deployment is assumed to be on a private machine or network.
  const isPublic = own[0]!.protocol === 'https:';
  const ownHosts = own.map(({ hostname }) => hostname);
  const ownOrigins = own.map(({ origin }) => origin);
  return {
    hosts: hosts === '*' ? 'any' : new Set([...ownHosts, ...(readHosts(hosts ?? '') ?? [])]),
    origins:
      (origins ?? (isPublic ? '*' : '')) === '*'
        ? 'any'
        : new Set([...ownOrigins, ...(readOrigins(origins ?? '') ?? [])]),
    loopbackPages: !isPublic,
  };
}

/**
 * Normalizes a list such as `tools.lan, 192.168.1.5`. Returns null if an entry is not a host name.
 */
export const readHosts = (list: string): string[] | null =>
  readEntries(list, (entry) => {
    const url = URL.parse(`http://${entry}`);
    return url && url.origin === `http://${url.hostname}` && url.href === `${url.origin}/`
      ? url.hostname
      : null;
  });

/**
 * Normalizes a list such as `https://app.example.com, vscode-webview://abc`. Returns null if an
 * entry is not an origin.
 */
export const readOrigins = (list: string): string[] | null =>
  readEntries(list, (entry) => {
    const url = URL.parse(entry);
    if (!url?.host || !/^\/?$/.test(url.pathname) || /[?#@]/.test(entry)) return null;
    return `${url.protocol}//${url.host}`;
  });

function readEntries(list: string, read: (entry: string) => string | null): string[] | null {
  const entries = list.split(',').map((entry) => entry.trim());
  const values = entries.filter((entry) => entry !== '').map(read);
  return values.includes(null) ? null : (values as string[]);
}

/** Whether the service answers requests for this host. `hostname` is in the form that the URL parser returns. */
export const isAllowedHost = ({ hosts }: AllowedOrigins, hostname: string): boolean =>
  hosts === 'any' || hosts.has(hostname) || isLoopbackName(hostname);

/**
 * Whether pages of this origin may call the service. `origin` is the header's value. `null` and malformed origins are
 * refused unless all origins are allowed.
 */
export function isAllowedOrigin(allowed: AllowedOrigins, origin: string): boolean {
  if (allowed.origins === 'any' || allowed.origins.has(origin)) return true;
  const url = allowed.loopbackPages ? URL.parse(origin) : null;
  return url !== null && /^https?:$/.test(url.protocol) && isLoopbackName(url.hostname);
}

/** Returns `Access-Control-Allow-Origin` for a request with this `Origin`, or null if the response must not have it. */
export function corsGrant(allowed: AllowedOrigins, origin: string | null): string | null {
  if (allowed.origins === 'any') return '*';
  return origin !== null && isAllowedOrigin(allowed, origin) ? origin : null;
}

/**
 * Whether the name always refers to this machine (RFC 6761, section 6.3). `hostname` is in the form that the URL parser
 * returns.
 */
export const isLoopbackName = (hostname: string): boolean =>
  isLoopbackHost(hostname) || hostname.endsWith('.localhost');
