/** The configuration of a running service, read from its settings. */
import { type AllowedOrigins, readAllowedOrigins } from './allowed-origins.ts';
import { egressHostsRefusal, isLoopbackHost, readEgressHosts } from './egress-hosts.ts';
import { isRegion, type Region } from './regions.ts';
import { listed, MODEL_PROVIDERS } from './setting-checks.ts';
import { LOG_SUCCESSES, MAX_SCREENSHOT_SECONDS, MEDIA_INSTANCES, SETTINGS } from './settings.ts';
import { trimEnd } from './trim-end.ts';

/** The settings that single sign-on needs. */
const OIDC = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;

export interface Config {
  serviceName: string;
  baseUrl: string;
  storageUrl: string;
  allowed: AllowedOrigins;
  /** The URLs of media workers that run as plain processes. Empty if the workers run in Containers. */
  mediaUrls: readonly string[];
  mediaSecret: string;
  /** The number of media worker Containers in each region. */
  mediaInstances: number;
  mediaRegions: Region[];
  /** The secret with which an operator can check every part of the service and read /metrics. */
  metricsToken: string | undefined;
  /** The share of successful calls that are logged, from 0 to 1. */
  logSuccesses: number;
  /** The IDs of the accounts that may use /admin. */
  adminAccounts: ReadonlySet<string>;
  /** The URL to which new abuse reports are posted. */
  abuseWebhook: string | undefined;
  /** The URL template of a reputation service. `{url}` is replaced by the target of a short link. */
  linkReputationUrl: string | undefined;
  operator: Operator;
  dnsOverHttpsUrl: string;
  faviconProxyUrl: string | undefined;
  /** Maps each host name that tests serve from loopback to its `host:port`. */
  egressHosts: ReadonlyMap<string, string>;
  screenshots: boolean;
  screenshotSeconds: number;
  screenshotFallbackUrl: string | undefined;
  rateLimits: boolean;
  /** Whether the total number of stored bytes is limited. */
  limitsStorage: boolean;
  models: ModelsConfig;
  /** The settings for sign-in with GitHub, if it is configured. */
  github: { clientId: string; clientSecret: string; url: string; apiUrl: string } | undefined;
  /** The settings for sign-in with the team's identity provider, if it is configured. */
  oidc:
    | { issuer: string; clientId: string; clientSecret: string; allowedDomains: string[] }
    | undefined;
  /** Whether anonymous callers are refused and accounts can be created only through the identity provider. */
  requireSignIn: boolean;
}

/** The operator of the service, as named on its legal pages. */
export interface Operator {
  name: string | undefined;
  /** An email address or an https URL. */
  contact: string | undefined;
  jurisdiction: string | undefined;
}

export interface ModelsConfig {
  /** The names of the providers to use (`workers-ai`, `openai`), in the order in which they are tried. */
  order: string[];
  openai:
    | {
        baseUrl: string;
        apiKey: string | undefined;
        models: Partial<Record<'text' | 'image' | 'vision' | 'embed', string>>;
      }
    | undefined;
}

/**
 * Returns the problems with the settings in `env`, each as `NAME problem`. The list never contains values, because they
 * may be secret and the Worker shows the problems to everyone.
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

/** Returns a setting, or undefined if it is missing or empty. */
type Read = (name: string) => string | undefined;

/** Reads the Worker's settings. If there are problems, returns them instead. */
export function readConfig(env: Record<string, unknown>): Config | { findings: string[] } {
  const text: Read = (name) => {
    const value = env[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const findings = [...checkSettings(env), ...checkTogether(text)];
  const baseUrl = text('BASE_URL');
  const mediaSecret = text('MEDIA_SECRET');
  if (findings.length > 0 || !baseUrl || !mediaSecret) return { findings };
  const storageUrl = text('STORAGE_URL') ?? baseUrl;
  return {
    serviceName: text('SERVICE_NAME') ?? 'Tools',
    baseUrl: normalized(baseUrl),
    storageUrl: normalized(storageUrl),
    allowed: readAllowedOrigins(
      text('ALLOWED_HOSTS'),
      text('ALLOWED_ORIGINS'),
      baseUrl,
      storageUrl,
    ),
    mediaUrls: mediaUrlsOf(text).map(normalized),
    mediaSecret,
    mediaInstances: Number(text('MEDIA_INSTANCES') ?? MEDIA_INSTANCES),
    mediaRegions: listed(text('MEDIA_REGIONS') ?? '').filter(isRegion),
    metricsToken: text('METRICS_TOKEN'),
    logSuccesses: Number(text('LOG_SUCCESSES') ?? LOG_SUCCESSES),
    adminAccounts: new Set(listed(text('ADMIN_ACCOUNTS') ?? '').filter(Boolean)),
    abuseWebhook: text('ABUSE_WEBHOOK'),
    linkReputationUrl: text('LINK_REPUTATION_URL'),
    operator: {
      name: text('OPERATOR_NAME'),
      contact: text('OPERATOR_CONTACT'),
      jurisdiction: text('OPERATOR_JURISDICTION'),
    },
    rateLimits: text('RATE_LIMITS') !== 'off',
    limitsStorage: text('MAX_STORAGE') !== undefined,
    models: modelsOf(text),
    github: githubOf(text),
    oidc: oidcOf(text),
    requireSignIn: text('REQUIRE_SIGN_IN') === 'on',
    screenshots: text('SCREENSHOTS') !== 'off',
    screenshotSeconds: Number(text('SCREENSHOT_SECONDS') ?? MAX_SCREENSHOT_SECONDS),
    screenshotFallbackUrl: text('SCREENSHOT_FALLBACK_URL'),
    faviconProxyUrl: text('FAVICON_PROXY_URL'),
    egressHosts: readEgressHosts(text('EGRESS_HOSTS') ?? '{}') ?? new Map(),
    dnsOverHttpsUrl: text('DNS_OVER_HTTPS_URL') ?? 'https://cloudflare-dns.com/dns-query',
  };
}

/** Returns the problems with missing settings, and with settings that are invalid in combination. */
function checkTogether(text: Read): string[] {
  const findings: string[] = [];
  if (!text('BASE_URL')) {
    findings.push('BASE_URL is not set: set it to the URL that callers use');
  }
  if (!text('MEDIA_SECRET')) {
    findings.push('MEDIA_SECRET is not set: set it to the secret of the media worker');
  }
  const hasId = text('GITHUB_CLIENT_ID') !== undefined;
  if (hasId !== (text('GITHUB_CLIENT_SECRET') !== undefined)) {
    findings.push(
      `${hasId ? 'GITHUB_CLIENT_SECRET' : 'GITHUB_CLIENT_ID'} is not set: sign-in with GitHub needs GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET`,
    );
  }
  if ([...OIDC, 'OIDC_ALLOWED_DOMAINS'].some(text)) {
    for (const name of OIDC) {
      if (!text(name)) findings.push(`${name} is not set: single sign-on needs ${OIDC.join(', ')}`);
    }
  }
  if (text('MEDIA_URL') && text('MEDIA_URLS')) {
    findings.push('MEDIA_URL and MEDIA_URLS are both set: keep only one');
  }
  // Test hosts are refused unless all media workers run on this machine. Each worker checks its own listening address.
  const hosts = mediaUrlsOf(text).map((address) => URL.parse(address)?.hostname ?? '');
  const refusal = egressHostsRefusal(
    text('EGRESS_HOSTS'),
    hosts.find((host) => !isLoopbackHost(host)) ?? hosts[0] ?? '',
  );
  if (refusal) findings.push(refusal);
  return findings;
}

function mediaUrlsOf(text: Read): string[] {
  const one = text('MEDIA_URL');
  const several = text('MEDIA_URLS');
  if (several) return listed(several);
  return one ? [one] : [];
}

function modelsOf(text: Read): ModelsConfig {
  const baseUrl = text('OPENAI_BASE_URL');
  return {
    order: listed(text('MODEL_ORDER') ?? MODEL_PROVIDERS.join()),
    openai: baseUrl
      ? {
          baseUrl: normalized(baseUrl),
          apiKey: text('OPENAI_API_KEY'),
          models: {
            text: text('MODEL_TEXT'),
            image: text('MODEL_IMAGE'),
            vision: text('MODEL_VISION'),
            embed: text('MODEL_EMBED'),
          },
        }
      : undefined,
  };
}

function githubOf(text: Read): Config['github'] {
  const clientId = text('GITHUB_CLIENT_ID');
  const clientSecret = text('GITHUB_CLIENT_SECRET');
  if (!clientId || !clientSecret) return undefined;
  return {
    clientId,
    clientSecret,
    url: normalized(text('GITHUB_URL') ?? 'https://github.com'),
    apiUrl: normalized(text('GITHUB_API_URL') ?? 'https://api.github.com'),
  };
}

function oidcOf(text: Read): Config['oidc'] {
  const [issuer, clientId, clientSecret] = OIDC.map(text);
  if (!issuer || !clientId || !clientSecret) return undefined;
  const domains = (text('OIDC_ALLOWED_DOMAINS') ?? '').toLowerCase();
  return { issuer, clientId, clientSecret, allowedDomains: listed(domains).filter(Boolean) };
}

/** Returns the URL as the URL parser formats it, without trailing slashes. */
const normalized = (address: string): string => trimEnd(new URL(address).href, '/');
