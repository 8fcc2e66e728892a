/**
 * Provides a fake identity provider that implements OpenID Connect as strictly as real ones, with PKCE, nonces and
 * signed ID tokens.
 */
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export const OIDC_CLIENT = { id: 'tools', secret: 'only for tests: a:b' };

export interface OidcStandIn {
  issuer: string;
  /** The user who is signed in to the provider, as the claims of the ID token. */
  user: { sub: string; name?: string; email?: string; email_verified?: boolean };
  mood:
    | 'agrees'
    | 'declines'
    | 'breaks'
    | 'signs with another key'
    | 'states another nonce'
    | 'states another audience'
    | 'states another issuer'
    | 'issues an expired token'
    | 'drops the connection'
    | 'hands out another code';
  close(): void;
}

const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 });

export async function startOidc(): Promise<OidcStandIn> {
  const [published, unpublished] = [newKey(), newKey()];
  const codes = new Map<string, { challenge: string; redirect: string; nonce: string }>();
  const server = createServer(async (request, response) => {
    const url = new URL(request.url!, provider.issuer);
    const json = (value: unknown, status = 200) => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    if (url.pathname === '/.well-known/openid-configuration') {
      json({
        issuer: provider.issuer,
        authorization_endpoint: `${provider.issuer}/authorize`,
        token_endpoint: `${provider.issuer}/token`,
        jwks_uri: `${provider.issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      });
    } else if (url.pathname === '/keys') {
      const key = published.publicKey.export({ format: 'jwk' });
      json({ keys: [{ ...key, kid: 'one', alg: 'RS256', use: 'sig' }] });
    } else if (url.pathname === '/authorize') {
      const given = Object.fromEntries(url.searchParams);
      const isRight =
        given.client_id === OIDC_CLIENT.id &&
        given.response_type === 'code' &&
        given.code_challenge_method === 'S256' &&
        given.scope!.split(' ').includes('openid');
      if (!isRight) return json({ error: 'invalid_request' }, 400);
      const back = new URL(given.redirect_uri!);
      back.searchParams.set('state', given.state!);
      if (provider.mood === 'declines') back.searchParams.set('error', 'access_denied');
      else {
        const code = randomBytes(10).toString('hex');
        const { code_challenge: challenge, redirect_uri: redirect, nonce } = given;
        codes.set(code, { challenge: challenge!, redirect: redirect!, nonce: nonce! });
        const handedOut = provider.mood === 'hands out another code' ? 'stolen' : code;
        back.searchParams.set('code', handedOut);
      }
      response.writeHead(302, { Location: back.href }).end();
    } else if (url.pathname === '/token' && provider.mood === 'drops the connection') {
      request.socket.destroy();
    } else if (url.pathname === '/token' && provider.mood === 'breaks') {
      response.writeHead(500).end('<h1>Internal error</h1>');
    } else if (url.pathname === '/token') {
      const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
      const code = codes.get(form.get('code') ?? '');
      codes.delete(form.get('code') ?? '');
      const proof = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      const basic = [OIDC_CLIENT.id, OIDC_CLIENT.secret].map(formEncoded).join(':');
      const isRight =
        request.headers.authorization === `Basic ${Buffer.from(basic).toString('base64')}` &&
        form.get('grant_type') === 'authorization_code' &&
        form.get('redirect_uri') === code?.redirect &&
        proof === code?.challenge;
      if (!isRight) return json({ error: 'invalid_grant' }, 400);
      const now = Math.floor(Date.now() / 1000);
      const { mood, issuer, user } = provider;
      const claims = {
        iss: mood === 'states another issuer' ? `${issuer}/another` : issuer,
        iat: now - 600,
        exp: mood === 'issues an expired token' ? now - 300 : now + 300,
        ...user,
        aud: mood === 'states another audience' ? 'another client' : OIDC_CLIENT.id,
        nonce: mood === 'states another nonce' ? 'another' : code!.nonce,
      };
      const { privateKey } = mood === 'signs with another key' ? unpublished : published;
      const text = [{ alg: 'RS256', kid: 'one', typ: 'JWT' }, claims]
        .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.');
      const signature = createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url');
      json({
        access_token: 'unused',
        token_type: 'Bearer',
        expires_in: 300,
        id_token: `${text}.${signature}`,
      });
    } else json({}, 404);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const provider: OidcStandIn = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    user: { sub: '1' },
    mood: 'agrees',
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return provider;
}

/**
 * The credentials must be form-urlencoded before they are used for HTTP Basic authentication (RFC 6749, section 2.3.1).
 */
const formEncoded = (text: string) => new URLSearchParams({ '': text }).toString().slice(1);
