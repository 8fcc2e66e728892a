/**
 * Implements sign-in with the team's identity provider through OpenID Connect's authorization code flow with PKCE and a
 * nonce.
 */
import type * as Library from 'oauth4webapi';
import { ToolError, unavailable } from '../../core/errors.ts';

export interface OidcSettings {
  /** The issuer in the provider's discovery document, such as `https://login.example.com/realms/team`. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The email domains that may sign in, in lower case. An empty list allows all domains. */
  allowedDomains: readonly string[];
}

export interface OidcUser {
  issuer: string;
  /** The provider's ID for the user. It does not change when the name or email address changes. */
  subject: string;
  email: string | null;
  name: string;
}

type Provider = Library.AuthorizationServer;

const TIMEOUT_MS = 10_000;
const RETRY_SECONDS = 30;
/** How long an isolate caches a discovery document, in milliseconds. */
const DISCOVERY_LIFE_MS = 3_600_000;

/** The library is imported on demand, because only sign-in needs it. */
const library = () => import('oauth4webapi');

let discovered: { provider: Provider; until: number } | undefined;

/** Returns the URL to redirect the browser to, and the cookie value that binds the sign-in to this browser. */
export async function oidcAddress(
  settings: OidcSettings,
  callback: string,
): Promise<{ address: string; cookie: string }> {
  const oauth = await library();
  const provider = await reaching(discover(oauth, settings));
  if (!provider.authorization_endpoint) throw unconfirmed('no authorization_endpoint');
  const state = oauth.generateRandomState();
  const nonce = oauth.generateRandomNonce();
  const verifier = oauth.generateRandomCodeVerifier();
  const address = new URL(provider.authorization_endpoint);
  const parameters = {
    client_id: settings.clientId,
    redirect_uri: callback,
    response_type: 'code',
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  return { address: address.href, cookie: `${state}.${nonce}.${verifier}` };
}

/**
 * Verifies the response at `callback` and returns the user. Throws 400 if the response does not belong to our request
 * or the user declined, 403 if the user's email address is not allowed, 502 if the provider's response is invalid, and
 * 503 if the provider does not respond.
 */
export async function oidcUser(
  settings: OidcSettings,
  callback: string,
  query: URLSearchParams,
  cookie: string | null,
): Promise<OidcUser> {
  const oauth = await library();
  const [state, nonce, verifier] = cookie?.split('.') ?? [];
  if (!state || !nonce || !verifier || query.get('state') !== state) {
    throw new ToolError(
      'bad_request',
      'This sign-in was started in a different browser, has expired or was already used. Start again.',
    );
  }
  if (query.get('error') === 'access_denied') {
    throw new ToolError('bad_request', 'You declined to sign in. Nothing was changed.');
  }
  const provider = await reaching(discover(oauth, settings));
  const client = { client_id: settings.clientId };
  const options = optionsFor(oauth, settings);
  const claims = await reaching(
    (async () => {
      const response = await oauth.authorizationCodeGrantRequest(
        provider,
        client,
        authentication(oauth, provider, settings.clientSecret),
        oauth.validateAuthResponse(provider, client, query, state),
        callback,
        verifier,
        options,
      );
      const tokens = await oauth.processAuthorizationCodeResponse(provider, client, response, {
        expectedNonce: nonce,
        requireIdToken: true,
      });
      await oauth.validateApplicationLevelSignature(provider, response, options);
      return oauth.getValidatedIdTokenClaims(tokens)!;
    })(),
  );
  return allowedUser(settings, claims);
}

/**
 * Returns the user that an ID token identifies. Throws 403 if the email address is outside the allowed domains or is
 * reported as unverified.
 */
function allowedUser({ issuer, allowedDomains }: OidcSettings, claims: Library.IDToken): OidcUser {
  const email = typeof claims.email === 'string' ? claims.email : null;
  const domain = email?.slice(email.lastIndexOf('@') + 1).toLowerCase() ?? '';
  const isAllowed =
    allowedDomains.length === 0 ||
    (allowedDomains.includes(domain) && claims.email_verified !== false);
  if (!isAllowed) {
    throw new ToolError(
      'invalid_key',
      `This service accepts only verified email addresses at ${allowedDomains.join(', ')}. Sign in with such an address.`,
      { status: 403 },
    );
  }
  const name = typeof claims.name === 'string' ? claims.name.trim() : '';
  return {
    issuer,
    subject: claims.sub,
    email,
    name: (name || email || claims.sub).slice(0, 60),
  };
}

/** Returns the provider's discovery document (OpenID Connect Discovery 1.0, section 4). */
async function discover(oauth: typeof Library, settings: OidcSettings): Promise<Provider> {
  const now = Date.now();
  if (discovered && discovered.until > now && discovered.provider.issuer === settings.issuer) {
    return discovered.provider;
  }
  const issuer = new URL(settings.issuer);
  const response = await oauth.discoveryRequest(issuer, optionsFor(oauth, settings));
  const provider = await oauth.processDiscoveryResponse(issuer, response);
  discovered = { provider, until: now + DISCOVERY_LIFE_MS };
  return provider;
}

/**
 * Allows plain http for an http issuer. This is safe, because the settings check accepts such an issuer only on
 * loopback.
 */
const optionsFor = (oauth: typeof Library, { issuer }: OidcSettings) => ({
  signal: () => AbortSignal.timeout(TIMEOUT_MS),
  [oauth.customFetch]: (url: string, init: RequestInit) =>
    fetch(url, init).catch((cause) => {
      throw silent(cause);
    }),
  [oauth.allowInsecureRequests]: issuer.startsWith('http:'),
});

/** Prefers HTTP Basic, which is the specification's default if the discovery document lists no methods. */
const authentication = (oauth: typeof Library, provider: Provider, secret: string) =>
  (provider.token_endpoint_auth_methods_supported ?? ['client_secret_basic']).includes(
    'client_secret_basic',
  )
    ? oauth.ClientSecretBasic(secret)
    : oauth.ClientSecretPost(secret);

/** Maps the library's errors to 502 or 503. */
async function reaching<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof ToolError) throw cause;
    throw (cause as Error).name === 'TimeoutError' ? silent(cause) : unconfirmed(cause);
  }
}

const silent = (cause: unknown) =>
  unavailable(
    'The identity provider is not responding. Try again in a moment.',
    RETRY_SECONDS,
    cause,
  );

const unconfirmed = (cause: unknown) =>
  new ToolError('tool_failed', 'The identity provider did not confirm this sign-in. Start again.', {
    status: 502,
    cause,
  });
