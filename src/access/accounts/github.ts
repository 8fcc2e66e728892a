/**
 * Implements sign-in with GitHub through OAuth's authorization code flow with PKCE (RFC 6749, section 4.1; RFC 7636).
 */
import { ToolError } from '../../core/errors.ts';
import { randomBase62 } from '../../lib/base62.ts';
import { toBase64Url } from './base64url.ts';

/** GitHub's URLs and the credentials of our OAuth app. */
export interface GithubSettings {
  clientId: string;
  clientSecret: string;
  /** The URL of GitHub's site, or of a test server. */
  url: string;
  apiUrl: string;
}

export interface GithubUser {
  /** GitHub's numeric user ID, which does not change when the user's login changes. */
  id: string;
  login: string;
}

const TIMEOUT_MS = 10_000;
const MAX_ANSWER = 100_000;

/** Returns the URL to redirect the browser to, and the cookie value that binds the sign-in to this browser. */
export async function githubAddress(
  settings: GithubSettings,
  callback: string,
): Promise<{ address: string; cookie: string }> {
  const state = randomBase62(32);
  const verifier = randomBase62(64);
  const address = new URL(`${settings.url}/login/oauth/authorize`);
  address.search = new URLSearchParams({
    client_id: settings.clientId,
    redirect_uri: callback,
    state,
    code_challenge: await challengeOf(verifier),
    code_challenge_method: 'S256',
    allow_signup: 'true',
  }).toString();
  return { address: address.href, cookie: `${state}.${verifier}` };
}

/**
 * Verifies the response at `callback` and returns the GitHub user. Throws 400 if the response does not belong to our
 * request or the user declined, and 502 or 504 if GitHub does not confirm the sign-in.
 */
export async function githubUser(
  settings: GithubSettings,
  callback: string,
  query: URLSearchParams,
  cookie: string | null,
): Promise<GithubUser> {
  const [state, verifier] = cookie?.split('.') ?? [];
  if (!state || !verifier || query.get('state') !== state) {
    throw new ToolError(
      'bad_request',
      'This sign-in was started in a different browser, has expired or was already used. Start again.',
    );
  }
  if (query.get('error') === 'access_denied') {
    throw new ToolError('bad_request', 'You declined the request on GitHub. Nothing was changed.');
  }
  const code = query.get('code');
  if (!code) throw refusedByGithub(`error ${query.get('error')}`);
  const token = await fetchJson(`${settings.url}/login/oauth/access_token`, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: settings.clientId,
      client_secret: settings.clientSecret,
      code,
      redirect_uri: callback,
      code_verifier: verifier,
    }),
  });
  if (typeof token.access_token !== 'string') throw refusedByGithub(`error ${token.error}`);
  const user = await fetchJson(`${settings.apiUrl}/user`, {
    headers: { Authorization: `Bearer ${token.access_token}` },
  });
  if (!Number.isSafeInteger(user.id) || typeof user.login !== 'string') {
    throw refusedByGithub('the user has no id or no login');
  }
  return { id: String(user.id), login: user.login.slice(0, 60) };
}

/** Fetches a JSON object from GitHub. Throws 502 or 504 if GitHub does not return one. */
async function fetchJson(address: string, init: RequestInit): Promise<Record<string, unknown>> {
  const headers = new Headers(init.headers);
  headers.set('Accept', 'application/json');
  // GitHub's API refuses requests without a User-Agent.
  headers.set('User-Agent', 'ToolsService');
  try {
    const response = await fetch(address, {
      ...init,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    if (!response.ok || text.length > MAX_ANSWER) throw new Error(`status ${response.status}`);
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null)
      throw new Error('the response is not a JSON object');
    return value as Record<string, unknown>;
  } catch (cause) {
    const late = (cause as Error).name === 'TimeoutError';
    throw new ToolError(
      'tool_failed',
      `GitHub ${late ? 'did not respond in time' : 'could not be reached or returned an error'}. Try again in a moment.`,
      { status: late ? 504 : 502, cause },
    );
  }
}

const refusedByGithub = (cause: string) =>
  new ToolError('tool_failed', 'GitHub did not confirm this sign-in. Start again.', {
    status: 502,
    cause,
  });

/** Returns the S256 challenge of a verifier, which is its SHA-256 in base64url (RFC 7636, section 4.2). */
async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return toBase64Url(new Uint8Array(digest));
}
