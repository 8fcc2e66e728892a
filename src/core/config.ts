/** The settings of a running service: every environment variable, its check and its meaning, said once. */

interface Setting {
  name: string;
  /** As shown in the documentation; the value itself is filled in where it is used. */
  default: string;
  meaning: string;
  /** What is wrong with a value that is set, or null. */
  check(value: string): string | null;
  /** Read by `npm start` only, not by the Worker. */
  local?: boolean;
}

const httpAddress = (value: string): string | null => {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol)) return 'must be an http or https address';
  if (url.search || url.hash || url.username || url.password) {
    return 'must have no query, fragment or credentials';
  }
  return null;
};

/** An address whose paths are the service's own. */
const httpOrigin = (value: string): string | null =>
  httpAddress(value) ?? (new URL(value).pathname === '/' ? null : 'must have no path');

/** An address with `{name}` in it. */
const template = (value: string, name: string): string | null =>
  value.includes(`{${name}}`) &&
  /^https?:\/\//.test(value) &&
  URL.canParse(value.replaceAll(/[{}]/g, ''))
    ? null
    : `must be an http or https address with {${name}} in it`;

const anything = () => null;

export const SETTINGS: readonly Setting[] = [
  {
    name: 'PORT',
    default: '8787',
    meaning: 'port of `npm start`; the media worker takes a free one',
    check: (value) =>
      /^\d{1,5}$/.test(value) && Number(value) <= 65535 ? null : 'must be a port, 0 to 65535',
    local: true,
  },
  {
    name: 'HOST',
    default: 'localhost',
    meaning: 'address that `npm start` listens on; `0.0.0.0` opens it to the network',
    check: (value) => (/^[\w.:-]+$/.test(value) ? null : 'must be a host name or an address'),
    local: true,
  },
  {
    name: 'STATE_DIR',
    default: '.wrangler/state',
    meaning: 'where `npm start` keeps D1, R2 and Durable Objects; one service per folder',
    check: anything,
    local: true,
  },
  {
    name: 'SERVICE_NAME',
    default: 'Tools',
    meaning: 'the name on pages, in the API description and in the user agent (`ToolsMetadataBot`)',
    check: (value) =>
      /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}$/u.test(value)
        ? null
        : 'must be 1 to 40 letters, digits, spaces, dots, hyphens or underscores',
  },
  {
    name: 'BASE_URL',
    default: 'from the address, with `npm start`; elsewhere it must be set',
    meaning: 'the address under which callers reach the service',
    check: httpOrigin,
  },
  {
    name: 'STORAGE_URL',
    default: '`BASE_URL`',
    meaning: 'the address under which stored files are reached',
    check: httpOrigin,
  },
  {
    name: 'MEDIA_URL',
    default: 'the started process, with `npm start`; elsewhere the Container',
    meaning: 'the address of a media worker that runs as a plain process',
    check: httpAddress,
  },
  {
    name: 'MEDIA_SECRET',
    default: 'made at start, with `npm start`',
    meaning: 'what the Worker shows the media worker, so that it answers to nobody else',
    check: (value) => (value.length >= 16 ? null : 'must have at least 16 characters'),
  },
  {
    name: 'DNS_OVER_HTTPS_URL',
    default:
      "the system's resolver, with `npm start`; elsewhere `https://cloudflare-dns.com/dns-query`",
    meaning:
      'how names are resolved before an address that a caller named is fetched: the JSON form (`application/dns-json`)',
    check: (value) =>
      httpAddress(value) ??
      (value.startsWith('https:') || isLoopbackHost(new URL(value).hostname)
        ? null
        : 'must be https, except on loopback'),
  },
  {
    name: 'SCREENSHOTS',
    default: '`on`',
    meaning: '`off`: screenshot_url answers 403',
    check: (value) => (/^(on|off)$/.test(value) ? null : 'must be on or off'),
  },
  {
    name: 'SCREENSHOT_FALLBACK_URL',
    default: 'none',
    meaning:
      'a thumbnail service for when no page can be drawn, as a template with `{url}` and `{width}`',
    check: (value) => template(value, 'url'),
  },
  {
    name: 'FAVICON_PROXY_URL',
    default: 'none',
    meaning: 'a favicon service for sites without icons, as a template with `{host}`',
    check: (value) => template(value, 'host'),
  },
  {
    name: 'EGRESS_HOSTS',
    default: 'none',
    meaning:
      'for tests: JSON `{ "host": "127.0.0.1:9100" }`; these hosts are served from there by plain HTTP and count as public. Refused unless the service listens on loopback',
    check: (value) =>
      readEgressHosts(value) ? null : 'must be JSON of the form { "host": "127.0.0.1:9100" }',
  },
];

/** Where test hosts are served: name (lower case) to loopback `host:port`; null where the text is no such map. */
export function readEgressHosts(text: string): Map<string, string> | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const entries = Object.entries(value);
  const right = entries.every(
    ([, target]) =>
      typeof target === 'string' && /^(127\.\d+\.\d+\.\d+|localhost|\[::1\]):\d{1,5}$/.test(target),
  );
  return right ? new Map(entries.map(([host, target]) => [host.toLowerCase(), target])) : null;
}

/** Whether a host to listen on is reached from this machine only. */
export const isLoopbackHost = (host: string): boolean =>
  /^(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/.test(host);

/** What the operator's tests may not do beyond this machine, or null. */
export const egressHostsRefusal = (hosts: string | undefined, listensOn: string): string | null =>
  hosts && !isLoopbackHost(listensOn)
    ? 'EGRESS_HOSTS is for tests: it is refused unless the service listens on loopback only'
    : null;

export interface Config {
  serviceName: string;
  baseUrl: string;
  storageUrl: string;
  mediaUrl: string | undefined;
  mediaSecret: string;
  dnsOverHttpsUrl: string;
  faviconProxyUrl: string | undefined;
  screenshots: boolean;
  screenshotFallbackUrl: string | undefined;
}

/**
 * Every finding about the settings in `env`: `NAME what is wrong`. Empty where all is well. Values are not repeated:
 * they may be secret, and the Worker tells its findings to everybody.
 */
export function checkSettings(env: Record<string, unknown>): string[] {
  const findings: string[] = [];
  for (const setting of SETTINGS) {
    const value = env[setting.name];
    if (value === undefined || value === '') continue;
    const wrong = typeof value === 'string' ? setting.check(value) : 'must be a string';
    if (wrong) findings.push(`${setting.name} ${wrong}`);
  }
  return findings;
}

/** The Worker's settings, or every finding that keeps it from serving. */
export function readConfig(env: Record<string, unknown>): Config | { findings: string[] } {
  const findings = checkSettings(env);
  const text = (name: string) => (env[name] as string | undefined) || undefined;
  const baseUrl = text('BASE_URL');
  const mediaSecret = text('MEDIA_SECRET');
  if (!baseUrl) {
    findings.push('BASE_URL is not set: give the address under which callers reach the service');
  }
  if (!mediaSecret) {
    findings.push('MEDIA_SECRET is not set: give the secret that the media worker knows');
  }
  const mediaUrl = text('MEDIA_URL');
  // Only a media worker on this machine serves such hosts; it checks what it listens on by itself.
  const refusal = egressHostsRefusal(
    text('EGRESS_HOSTS'),
    URL.parse(mediaUrl ?? '')?.hostname ?? '',
  );
  if (refusal) findings.push(refusal);
  if (findings.length > 0 || !baseUrl || !mediaSecret) return { findings };
  return {
    serviceName: text('SERVICE_NAME') ?? 'Tools',
    baseUrl: normalised(baseUrl),
    storageUrl: normalised(text('STORAGE_URL') ?? baseUrl),
    mediaUrl: mediaUrl && normalised(mediaUrl),
    mediaSecret,
    screenshots: text('SCREENSHOTS') !== 'off',
    screenshotFallbackUrl: text('SCREENSHOT_FALLBACK_URL'),
    faviconProxyUrl: text('FAVICON_PROXY_URL'),
    dnsOverHttpsUrl: text('DNS_OVER_HTTPS_URL') ?? 'https://cloudflare-dns.com/dns-query',
  };
}

/** As the URL parser writes it, which is how links to it come back; without a slash at the end. */
const normalised = (address: string): string => new URL(address).href.replace(/\/+$/, '');
