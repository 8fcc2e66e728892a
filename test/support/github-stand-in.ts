/** Provides a fake GitHub that implements OAuth with PKCE as strictly as the real one. */
import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export const CLIENT = { id: 'Iv1.stand-in', secret: 'only for tests' };

export interface GithubStandIn {
  url: string;
  /** The user who is signed in to the fake GitHub. */
  user: { id: number; login: string };
  mood: 'agrees' | 'declines' | 'breaks' | 'redirects' | 'hands out another code';
  /** The received requests, in order. */
  requested: string[];
  close(): void;
}

export async function startGithub(): Promise<GithubStandIn> {
  const codes = new Map<string, { challenge: string; redirect: string }>();
  const tokens = new Map<string, { id: number; login: string }>();
  const server = createServer(async (request, response) => {
    const url = new URL(request.url!, github.url);
    github.requested.push(`${request.method} ${url.pathname}`);
    const json = (value: unknown, status = 200) => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    if (github.mood === 'breaks' && url.pathname !== '/login/oauth/authorize') {
      response.writeHead(500);
      response.end('<h1>Unicorn</h1>');
    } else if (url.pathname === '/login/oauth/authorize') {
      const { client_id, redirect_uri, state, code_challenge, code_challenge_method } =
        Object.fromEntries(url.searchParams);
      if (client_id !== CLIENT.id || code_challenge_method !== 'S256') {
        json({ error: 'wrong client or no PKCE' }, 400);
        return;
      }
      const back = new URL(redirect_uri!);
      back.searchParams.set('state', state!);
      if (github.mood === 'declines') {
        back.searchParams.set('error', 'access_denied');
      } else {
        const code = randomBytes(10).toString('hex');
        codes.set(code, { challenge: code_challenge!, redirect: redirect_uri! });
        const given = github.mood === 'hands out another code' ? 'stolen' : code;
        back.searchParams.set('code', given);
      }
      response.writeHead(302, { Location: back.href });
      response.end();
    } else if (url.pathname === '/login/oauth/access_token' && request.method === 'POST') {
      const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
      const code = codes.get(form.get('code') ?? '');
      codes.delete(form.get('code') ?? '');
      const proof = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      const right =
        form.get('client_id') === CLIENT.id &&
        form.get('client_secret') === CLIENT.secret &&
        form.get('redirect_uri') === code?.redirect &&
        proof === code?.challenge;
      const token = randomBytes(10).toString('hex');
      if (right) tokens.set(token, { ...github.user });
      // GitHub returns this error with status 200.
      json(
        right ? { access_token: token, token_type: 'bearer' } : { error: 'bad_verification_code' },
      );
    } else if (url.pathname === '/api/user') {
      const user = tokens.get(request.headers.authorization?.replace('Bearer ', '') ?? '');
      if (github.mood === 'redirects') {
        response.writeHead(302, { Location: 'http://127.0.0.1:1/' });
        response.end();
      } else if (user && request.headers['user-agent']) json(user);
      else json({ message: 'Bad credentials' }, 401);
    } else json({}, 404);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const github: GithubStandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    user: { id: 1, login: 'octocat' },
    mood: 'agrees',
    requested: [],
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return github;
}
