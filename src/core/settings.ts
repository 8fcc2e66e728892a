/** Defines every setting (environment variable), with its check and its meaning. */
import { MODEL_SETTINGS } from './model-settings.ts';
import type { Setting } from './setting.ts';
import {
  accountIds,
  allowedHosts,
  allowedOrigins,
  anything,
  byteSize,
  contactAddress,
  egressHosts,
  encryptedAddress,
  httpAddress,
  httpAddresses,
  httpOrigin,
  matching,
  oneLine,
  onOrOff,
  regions,
  reportWebhookAddress,
  template,
  wholeNumber,
} from './setting-checks.ts';
import { SIGN_IN_SETTINGS } from './sign-in-settings.ts';

/** The default of `MAX_STORAGE` for `npm start`. */
export const HOME_STORAGE = '10 GB';

/** The default of `DRAIN_SECONDS`. It is below the 10 seconds after which Docker kills a container. */
export const DRAIN_SECONDS = 8;

/** The default of `MEDIA_INSTANCES`. */
export const MEDIA_INSTANCES = 5;

/** The default of `LOG_SUCCESSES`. */
export const LOG_SUCCESSES = 0.01;

/** The default of `BROWSERS` on Cloudflare (a quarter of Browser Run's limit per account) and with `npm start`. */
export const BROWSERS = 30;
export const HOME_BROWSERS = 4;

/** The time limit of a capture, as the documentation states it. */
export const MAX_SCREENSHOT_SECONDS = 50;

export const SETTINGS: readonly Setting[] = [
  {
    name: 'PORT',
    default: '8787',
    meaning: 'the port of `npm start`; the media worker uses any free port',
    check: wholeNumber('a port', 0, 65535),
    local: true,
  },
  {
    name: 'HOST',
    default: 'localhost',
    meaning:
      'the address on which `npm start` listens; an address other than loopback, such as `0.0.0.0`, opens it to the network and needs `BASE_URL`',
    check: matching(/^[\w.:-]+$/, 'must be a host name or an address'),
    local: true,
  },
  {
    name: 'STATE_DIR',
    default: '.wrangler/state',
    meaning:
      'the folder in which `npm start` stores D1, R2 and Durable Objects; one service per folder',
    check: anything,
    local: true,
  },
  {
    name: 'DRAIN_SECONDS',
    default: String(DRAIN_SECONDS),
    meaning:
      'how long `npm start` may take to stop after SIGTERM. Running calls finish, new ones get 503, jobs continue after the next start',
    check: wholeNumber('a number of seconds', 1, 3600),
    local: true,
  },
  {
    name: 'SERVICE_NAME',
    default: 'Tools',
    meaning: 'the name on pages, in the API description and in the user agent (`ToolsMetadataBot`)',
    check: matching(
      /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}$/u,
      'must be 1 to 40 letters, digits, spaces, dots, hyphens or underscores',
    ),
  },
  {
    name: 'BASE_URL',
    default: 'with `npm start`, derived from `HOST` and `PORT`; required elsewhere',
    meaning: 'the public URL of the service',
    check: httpOrigin,
  },
  {
    name: 'STORAGE_URL',
    default: '`BASE_URL`',
    meaning: 'the public address of stored files',
    check: httpOrigin,
  },
  {
    name: 'ALLOWED_HOSTS',
    default: 'loopback, and the hosts of `BASE_URL` and `STORAGE_URL`',
    meaning:
      'additional host names, without ports, that callers may use; `*` for any. Requests for any other `Host` get 421',
    check: allowedHosts,
  },
  {
    name: 'ALLOWED_ORIGINS',
    default: '`*` where `BASE_URL` is https; elsewhere loopback',
    meaning:
      'the origins of web pages that may call the service, such as `https://app.example.com`; `*` for all',
    check: allowedOrigins,
  },
  {
    name: 'MEDIA_URL',
    default: 'with `npm start`, the process it starts; elsewhere the Container',
    meaning: 'the address of a media worker that runs as a plain process',
    check: httpAddress,
  },
  {
    name: 'MEDIA_URLS',
    default: 'none',
    meaning:
      'the URLs of several media workers, such as `https://media-1.lan, https://media-2.lan`: calls are spread over them. They need the same `MEDIA_SECRET`, and TLS or a private network',
    check: httpAddresses,
  },
  {
    name: 'MEDIA_SECRET',
    default: 'with `npm start`, generated at start; required with `MEDIA_URLS`',
    meaning: 'the secret that authenticates the Worker to the media worker',
    check: matching(/^.{16,}$/s, 'must have at least 16 characters'),
    secret: true,
  },
  {
    name: 'MEDIA_INSTANCES',
    default: String(MEDIA_INSTANCES),
    meaning:
      'the number of media worker Containers in each region; `max_instances` in wrangler.toml must allow all of them',
    check: wholeNumber('a number', 1, 99),
  },
  {
    name: 'MEDIA_REGIONS',
    default: 'none: one pool, placed where it is first needed',
    meaning:
      'the regions that have a pool of media worker Containers, such as `weur, enam, apac`; a call goes to the nearest one with a healthy instance',
    check: regions,
  },
  {
    name: 'METRICS_TOKEN',
    default: 'none: only callers on this machine',
    meaning:
      "the operator's secret, sent as `Authorization: Bearer`: `/health?deep=1` then checks every part of the service, and `/metrics` shows its metrics",
    check: matching(
      /^[\x21-\x7e]{16,}$/,
      'must be at least 16 printable ASCII characters, without spaces',
    ),
    secret: true,
  },
  {
    name: 'LOG_SUCCESSES',
    default: String(LOG_SUCCESSES),
    meaning:
      'the share of successful calls that is logged, from `0` (none) to `1` (all); failed calls are always logged',
    check: matching(/^(?:0|1|0?\.\d{1,6})$/, 'must be a number from 0 to 1, such as 0.01'),
  },
  {
    name: 'ADMIN_ACCOUNTS',
    default: 'none: there is no `/admin`',
    meaning:
      'IDs of the accounts that may use `/admin`, separated by commas; `/developers` shows the ID of an account',
    check: accountIds,
  },
  {
    name: 'ABUSE_WEBHOOK',
    default: 'none: reports appear only on `/admin`',
    meaning: 'the URL to which each new abuse report is posted as JSON (`text` and `report`)',
    check: reportWebhookAddress,
    secret: true,
  },
  {
    name: 'LINK_REPUTATION_URL',
    default: 'none: targets are not checked',
    meaning:
      'a reputation service that responds like Google Web Risk (`uris:search`), as a template with `{url}`. A short link to a reported target shows a warning page',
    check: template('url'),
    secret: true,
  },
  {
    name: 'OPERATOR_NAME',
    default: 'none: the pages state that the operator has not published a name',
    meaning: 'the person or organization that runs the service, for `/privacy` and `/terms`',
    check: oneLine,
  },
  {
    name: 'OPERATOR_CONTACT',
    default: 'none: `/contact` offers the report form',
    meaning: 'an email address or an https URL, for `/contact` and `security.txt`',
    check: contactAddress,
  },
  {
    name: 'OPERATOR_JURISDICTION',
    default: 'none',
    meaning: 'the jurisdiction whose law governs the terms, such as `Germany`',
    check: oneLine,
  },
  {
    name: 'RATE_LIMITS',
    default: 'on',
    meaning:
      '`off` for a private deployment: nothing is counted or refused, and responses have no rate-limit headers',
    check: onOrOff,
  },
  {
    name: 'MAX_STORAGE',
    default: `\`${HOME_STORAGE}\` with \`npm start\`, otherwise none`,
    meaning:
      'total bytes of stored files (`10 GB`, `500 MB`); anonymous callers may fill half of it. When the storage is full, calls that store a file get 503',
    check: byteSize,
  },
  {
    name: 'TRUSTED_PROXY',
    default: 'off',
    meaning:
      "`on` if your own proxy is in front of `npm start`: the caller's IP address is the last one in `X-Forwarded-For`, or `CF-Connecting-IP` if that header is absent",
    check: onOrOff,
    local: true,
  },
  ...MODEL_SETTINGS,
  ...SIGN_IN_SETTINGS,
  {
    name: 'DNS_OVER_HTTPS_URL',
    default:
      "with `npm start`, the system's resolver; elsewhere `https://cloudflare-dns.com/dns-query`",
    meaning:
      'the DNS resolver for hosts in URLs that callers send, with the JSON format (`application/dns-json`)',
    check: encryptedAddress,
  },
  {
    name: 'SCREENSHOTS',
    default: '`on`',
    meaning: '`off`: screenshot_url returns 403',
    check: onOrOff,
  },
  {
    name: 'BROWSERS',
    default: `${BROWSERS}; ${HOME_BROWSERS} if \`MEDIA_URL\` or \`MEDIA_URLS\` is set, as with \`npm start\``,
    meaning: 'the maximum number of concurrent captures in each region of `MEDIA_REGIONS`',
    check: wholeNumber('a number', 1, 500),
  },
  {
    name: 'SCREENSHOT_SECONDS',
    default: '50',
    meaning: 'the time limit of a screenshot, 5 to 50 seconds',
    check: wholeNumber('a number of seconds', 5, MAX_SCREENSHOT_SECONDS),
  },
  {
    name: 'SCREENSHOT_FALLBACK_URL',
    default: 'none',
    meaning:
      'a thumbnail service for pages that cannot be captured, as a template with `{url}` and `{width}`',
    check: template('url'),
  },
  {
    name: 'FAVICON_PROXY_URL',
    default: 'none',
    meaning: 'a favicon service for sites without icons, as a template with `{host}`',
    check: template('host'),
  },
  {
    name: 'EGRESS_HOSTS',
    default: 'none',
    meaning:
      'for tests: JSON `{ "host": "127.0.0.1:9100" }`; requests to these hosts go there over plain HTTP, and the hosts count as public. Rejected unless the service listens on loopback',
    check: egressHosts,
  },
];
