/** Checks the values of settings. Each check returns the error, or null. */
import { readHosts, readOrigins } from './allowed-origins.ts';
import { isLoopbackHost, readEgressHosts } from './egress-hosts.ts';
import { isRegion } from './regions.ts';

/** Checks that a value matches a pattern. `wrong` describes the required format. */
export const matching =
  (pattern: RegExp, wrong: string) =>
  (value: string): string | null =>
    pattern.test(value) ? null : wrong;

/** Checks a whole number. `what` names the number in the error, for example `a port`. */
export const wholeNumber =
  (what: string, least: number, most: number) =>
  (value: string): string | null =>
    /^\d{1,5}$/.test(value) && Number(value) >= least && Number(value) <= most
      ? null
      : `must be ${what} from ${least} to ${most}`;

export const httpAddress = (value: string): string | null => {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol)) return 'must be an http or https URL';
  if (url.search || url.hash || url.username || url.password) {
    return 'must have no query, fragment or credentials';
  }
  return null;
};

/** Checks an origin. The service uses all paths of that origin. */
export const httpOrigin = (value: string): string | null =>
  httpAddress(value) ?? (new URL(value).pathname === '/' ? null : 'must have no path');

export const onOrOff = matching(/^(on|off)$/, 'must be on or off');

/** Checks a URL that contains the placeholder `{name}`. */
export const template =
  (name: string) =>
  (value: string): string | null =>
    value.includes(`{${name}}`) &&
    /^https?:\/\//.test(value) &&
    URL.canParse(value.replaceAll(/[{}]/g, ''))
      ? null
      : `must be an http or https URL with {${name}} in it`;

export const anything = () => null;

const UNITS = { '': 1, KB: 2 ** 10, MB: 2 ** 20, GB: 2 ** 30, TB: 2 ** 40 } as const;

/** Parses `10 GB` or a plain number of bytes. Returns null if the value is neither. */
export function byteSizeOf(value: string): number | null {
  const [, number, unit = ''] = /^(\d{1,15}) ?(KB|MB|GB|TB)?$/.exec(value.trim()) ?? [];
  if (number === undefined) return null;
  return Number(number) * UNITS[unit as keyof typeof UNITS];
}

export const byteSize = (value: string): string | null =>
  (byteSizeOf(value) ?? 0) > 0 ? null : 'must be a number of bytes, such as 10 GB or 500 MB';

export const allowedHosts = (value: string): string | null =>
  value === '*' || readHosts(value) ? null : 'must list host names without ports, or be *';

export const allowedOrigins = (value: string): string | null =>
  value === '*' || readOrigins(value)
    ? null
    : 'must list origins such as https://app.example.com, or be *';

/** The names of the providers in the order in which they are tried by default. */
export const MODEL_PROVIDERS = ['workers-ai', 'openai'];

export const modelOrder = (value: string): string | null => {
  const names = listed(value);
  const known = names.every((name) => MODEL_PROVIDERS.includes(name));
  return names.length > 0 && known && new Set(names).size === names.length
    ? null
    : `must list ${MODEL_PROVIDERS.join(' and ')}, or one of them, separated by a comma`;
};

export const regions = (value: string): string | null => {
  const names = listed(value);
  return names.every(isRegion) && new Set(names).size === names.length
    ? null
    : 'must list location hints of Durable Objects, each once, such as weur, enam, apac';
};

/** Checks a list of URLs of one service. No URL may occur twice. */
export const httpAddresses = (value: string): string | null => {
  const addresses = listed(value);
  const wrong = addresses.map(httpAddress).find((finding) => finding !== null);
  if (wrong) return `must list URLs separated by commas, and each ${wrong}`;
  return new Set(addresses).size === addresses.length ? null : 'must list each URL once';
};

export const domains = (value: string): string | null =>
  listed(value).every((name) => /^(?!-)[a-z\d-]{1,63}(\.[a-z\d-]{1,63}){1,10}$/i.test(name))
    ? null
    : 'must list domains such as example.com, separated by commas';

export const listed = (value: string) => value.split(',').map((name) => name.trim());

export const modelName = matching(/^[\x21-\x7e]{1,200}$/, 'must be a model name without spaces');

export const egressHosts = (value: string): string | null =>
  readEgressHosts(value) ? null : 'must be JSON of the form { "host": "127.0.0.1:9100" }';

/** Accounts are listed by ID, because names are not unique. */
export const accountIds = (value: string): string | null =>
  listed(value).every((id) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id))
    ? null
    : 'must list account IDs, as /developers shows them, separated by commas';

export const oneLine = matching(
  /^[^\p{C}<>[\]]{1,100}$/u,
  'must have 1 to 100 characters, without < > [ ] and control characters',
);

export const contactAddress = (value: string): string | null =>
  /^[^\s<>()[\]]{1,200}$/.test(value) &&
  (/^[^@/]+@[^@/]+$/.test(value) || (value.startsWith('https://') && URL.canParse(value)))
    ? null
    : 'must be an email address or an https URL';

/**
 * Checks that a URL is https or on loopback. Unlike `encryptedAddress`, it allows a query, a fragment and credentials,
 * which may contain a secret.
 */
export const reportWebhookAddress = (value: string): string | null => {
  const url = URL.parse(value);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname))
    ? null
    : 'must be an https URL, except on loopback';
};

export const encryptedAddress = (value: string): string | null =>
  httpAddress(value) ??
  (value.startsWith('https:') || isLoopbackHost(new URL(value).hostname)
    ? null
    : 'must be an https URL, except on loopback');
