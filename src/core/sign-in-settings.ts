/** Defines the settings that determine who may sign in, and how. */
import type { Setting } from './setting.ts';
import { anything, domains, encryptedAddress, httpAddress, onOrOff } from './setting-checks.ts';

export const SIGN_IN_SETTINGS: readonly Setting[] = [
  {
    name: 'GITHUB_CLIENT_ID',
    default: 'none: no sign-in with GitHub',
    meaning:
      'the client ID of the OAuth app for sign-in with GitHub; its callback is `BASE_URL`/developers/github/callback',
    check: anything,
  },
  {
    name: 'GITHUB_CLIENT_SECRET',
    default: 'none',
    meaning: "that OAuth app's secret",
    check: anything,
    secret: true,
  },
  {
    name: 'GITHUB_URL',
    default: '`https://github.com`',
    meaning: 'the URL at which people sign in, for GitHub Enterprise and for tests',
    check: httpAddress,
  },
  {
    name: 'GITHUB_API_URL',
    default: '`https://api.github.com`',
    meaning: 'the API that identifies the signed-in user',
    check: httpAddress,
  },
  {
    name: 'OIDC_ISSUER',
    default: 'none: no single sign-on',
    meaning:
      'the issuer of your identity provider (OpenID Connect), as its discovery document states it; its client needs the redirect URI `BASE_URL`/developers/oidc/callback',
    check: encryptedAddress,
  },
  {
    name: 'OIDC_CLIENT_ID',
    default: 'none',
    meaning: 'the ID of that client',
    check: anything,
  },
  {
    name: 'OIDC_CLIENT_SECRET',
    default: 'none',
    meaning: "that client's secret",
    check: anything,
    secret: true,
  },
  {
    name: 'OIDC_ALLOWED_DOMAINS',
    default: 'none: anyone the provider authenticates may sign in',
    meaning:
      'the domains of the email addresses that may sign in, such as `example.com, example.org`',
    check: domains,
  },
  {
    name: 'REQUIRE_SIGN_IN',
    default: '`off`',
    meaning:
      '`on`: anonymous callers get 401, trial keys do not exist, and accounts are created only through `OIDC_ISSUER`. Anyone with the link can still open a stored file or follow a short link',
    check: onOrOff,
  },
];
