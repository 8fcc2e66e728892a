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

const onOrOff = (value: string) => (/^(on|off)$/.test(value) ? null : 'must be on or off');
/** An address with `{name}` in it. */
const template = (value: string, name: string): string | null =>
  value.includes(`{${name}}`) &&
  /^https?:\/\//.test(value) &&
  URL.canParse(value.replaceAll(/[{}]/g, ''))
    ? null
    : `must be an http or https address with {${name}} in it`;

const anything = () => null;

/** In the order in which they are asked, where nothing else is set. */
const MODEL_PROVIDERS = ['workers-ai', 'openai'];

const modelOrder = (value: string): string | null => {
  const names = listed(value);
  const known = names.every((name) => MODEL_PROVIDERS.includes(name));
  return names.length > 0 && known && new Set(names).size === names.length
    ? null
    : `must list ${MODEL_PROVIDERS.join(' and ')}, or one of them, separated by a comma`;
};

const listed = (value: string) => value.split(',').map((name) => name.trim());

const modelName = (value: string): string | null =>
  /^[\x21-\x7e]{1,200}$/.test(value) ? null : 'must be a model name without spaces';

const modelSetting = (name: string, makes: string): Setting => ({
  name,
  default: 'none',
  meaning: `the model at \`OPENAI_BASE_URL\` that ${makes}`,
  check: modelName,
});

/** The render budget that callers are told. */
const MOST_SCREENSHOT_SECONDS = 50;

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
    name: 'RATE_LIMITS',
    default: 'on',
    meaning:
      '`off` for a private deployment: nothing is counted or refused, and the headers are absent',
    check: onOrOff,
  },
  {
    name: 'TRUSTED_PROXY',
    default: 'off',
    meaning:
      "`on` where a proxy of yours is in front of `npm start`: the caller's address is the last `X-Forwarded-For`, or `CF-Connecting-IP` where there is none",
    check: onOrOff,
    local: true,
  },
  {
    name: 'OPENAI_BASE_URL',
    default: 'none',
    meaning:
      'the address of an OpenAI-compatible server (Ollama, llama.cpp, vLLM, a gateway), `/v1` included',
    check: httpAddress,
  },
  {
    name: 'OPENAI_API_KEY',
    default: 'none',
    meaning: 'the key that this server wants',
    check: (value) => (/^[\x21-\x7e]+$/.test(value) ? null : 'must be ASCII without spaces'),
  },
  modelSetting('MODEL_TEXT', 'writes'),
  modelSetting('MODEL_IMAGE', 'makes pictures'),
  modelSetting('MODEL_VISION', 'looks at pictures'),
  modelSetting('MODEL_EMBED', 'makes vectors for the search'),
  {
    name: 'MODEL_ORDER',
    default: MODEL_PROVIDERS.join(),
    meaning:
      'which provider is asked first; one that is not named is not asked. Workers AI is there where its binding is',
    check: modelOrder,
  },
  {
    name: 'GITHUB_CLIENT_ID',
    default: 'none: people sign in with passkeys only',
    meaning:
      'the OAuth app for sign-in with GitHub; its callback is `BASE_URL`/developers/github/callback',
    check: anything,
  },
  {
    name: 'GITHUB_CLIENT_SECRET',
    default: 'none',
    meaning: 'the secret of that OAuth app',
    check: anything,
  },
  {
    name: 'GITHUB_URL',
    default: '`https://github.com`',
    meaning: 'where people are sent to sign in, for GitHub Enterprise and for tests',
    check: httpAddress,
  },
  {
    name: 'GITHUB_API_URL',
    default: '`https://api.github.com`',
    meaning: 'where GitHub is asked who they are',
    check: httpAddress,
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
    name: 'SCREENSHOT_SECONDS',
    default: '50',
    meaning: 'what a screenshot may take in all, 5 to 50 seconds',
    check: (value) =>
      /^\d+$/.test(value) && Number(value) >= 5 && Number(value) <= MOST_SCREENSHOT_SECONDS
        ? null
        : `must be a number of seconds, 5 to ${MOST_SCREENSHOT_SECONDS}`,
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
  screenshotSeconds: number;
  screenshotFallbackUrl: string | undefined;
  rateLimits: boolean;
  models: ModelsConfig;
  /** Sign-in with GitHub, where it is configured. */
  github: { clientId: string; clientSecret: string; url: string; apiUrl: string } | undefined;
}

export interface ModelsConfig {
  /** `workers-ai` and `openai`, as far as they are to be asked. */
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
  const clientId = text('GITHUB_CLIENT_ID');
  const clientSecret = text('GITHUB_CLIENT_SECRET');
  if (!clientId !== !clientSecret) {
    findings.push(
      `${clientId ? 'GITHUB_CLIENT_SECRET' : 'GITHUB_CLIENT_ID'} is not set: sign-in with GitHub needs both`,
    );
  }
  const mediaUrl = text('MEDIA_URL');
  // Only a media worker on this machine serves such hosts; it checks what it listens on by itself.
  const refusal = egressHostsRefusal(
    text('EGRESS_HOSTS'),
    URL.parse(mediaUrl ?? '')?.hostname ?? '',
  );
  if (refusal) findings.push(refusal);
  if (findings.length > 0 || !baseUrl || !mediaSecret) return { findings };
  const openai = text('OPENAI_BASE_URL');
  return {
    serviceName: text('SERVICE_NAME') ?? 'Tools',
    baseUrl: normalised(baseUrl),
    storageUrl: normalised(text('STORAGE_URL') ?? baseUrl),
    mediaUrl: mediaUrl && normalised(mediaUrl),
    mediaSecret,
    rateLimits: text('RATE_LIMITS') !== 'off',
    models: {
      order: listed(text('MODEL_ORDER') ?? MODEL_PROVIDERS.join()),
      openai: openai
        ? {
            baseUrl: normalised(openai),
            apiKey: text('OPENAI_API_KEY'),
            models: {
              text: text('MODEL_TEXT'),
              image: text('MODEL_IMAGE'),
              vision: text('MODEL_VISION'),
              embed: text('MODEL_EMBED'),
            },
          }
        : undefined,
    },
    github:
      clientId && clientSecret
        ? {
            clientId,
            clientSecret,
            url: normalised(text('GITHUB_URL') ?? 'https://github.com'),
            apiUrl: normalised(text('GITHUB_API_URL') ?? 'https://api.github.com'),
          }
        : undefined,
    screenshots: text('SCREENSHOTS') !== 'off',
    screenshotSeconds: Number(text('SCREENSHOT_SECONDS') ?? MOST_SCREENSHOT_SECONDS),
    screenshotFallbackUrl: text('SCREENSHOT_FALLBACK_URL'),
    faviconProxyUrl: text('FAVICON_PROXY_URL'),
    dnsOverHttpsUrl: text('DNS_OVER_HTTPS_URL') ?? 'https://cloudflare-dns.com/dns-query',
  };
}

/** As the URL parser writes it, which is how links to it come back; without a slash at the end. */
const normalised = (address: string): string => new URL(address).href.replace(/\/+$/, '');
