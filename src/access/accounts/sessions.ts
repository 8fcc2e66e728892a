/**
 * Manages the sessions of signed-in browsers. A cookie contains a random token, and the server stores only its hash.
 */
import { parse, serialize } from 'hono/utils/cookie';
import { DAY_MS } from '../../core/calendar.ts';
import type { SessionRecord, SessionStore } from '../../core/session-store.ts';
import { randomBase62 } from '../../lib/base62.ts';
import { sha256 } from '../../lib/sha256.ts';
import { browserName } from './browser-name.ts';

const SESSION_DAYS = 30;

type CookieName = 'session' | 'github' | 'oidc';

/**
 * Returns the session of a request, or null. If another site's page may have sent a request other than GET or HEAD, the
 * request counts as anonymous, because the browser may have added the cookie without any action by the owner (as in
 * Go's http.CrossOriginProtection).
 */
export async function sessionOf(
  request: Request,
  sessions: Pick<SessionStore, 'find'>,
  now: number,
): Promise<SessionRecord | null> {
  const token = tokenOf(request);
  if (token === null || (!isReading(request) && isCrossOrigin(request))) return null;
  return sessions.find(await sha256(token), now);
}

/**
 * Starts a session with a new token and ends the browser's previous session. Returns the `Set-Cookie` value. `by`
 * indicates whether the owner has just signed in with a passkey.
 */
export async function beginSession(
  request: Request,
  accountId: string,
  sessions: SessionStore,
  now: number,
  by?: 'passkey',
): Promise<string> {
  await endSession(request, sessions);
  const token = randomBase62(43);
  await sessions.create(await sha256(token), {
    id: crypto.randomUUID(),
    accountId,
    browser: browserName(request.headers.get('User-Agent')),
    createdAt: now,
    expiresAt: now + SESSION_DAYS * DAY_MS,
    passkeyAt: by === 'passkey' ? now : null,
  });
  return setCookie(request, 'session', token, SESSION_DAYS * 86_400);
}

/** Ends the browser's session, if it has one. Returns the `Set-Cookie` value that deletes the cookie. */
export async function endSession(
  request: Request,
  sessions: Pick<SessionStore, 'end'>,
): Promise<string> {
  const token = tokenOf(request);
  if (token !== null) await sessions.end(await sha256(token));
  return setCookie(request, 'session', '', 0);
}

function tokenOf(request: Request): string | null {
  const value = readCookie(request, 'session');
  return value !== null && /^[0-9A-Za-z]{43}$/.test(value) ? value : null;
}

const isReading = (request: Request) => request.method === 'GET' || request.method === 'HEAD';

function isCrossOrigin(request: Request): boolean {
  const site = request.headers.get('Sec-Fetch-Site');
  if (site !== null) return site !== 'same-origin' && site !== 'none';
  const origin = request.headers.get('Origin');
  return origin !== null && URL.parse(origin)?.host !== new URL(request.url).host;
}

/** Returns the value of one of this service's cookies. */
export function readCookie(request: Request, name: CookieName): string | null {
  const full = cookieName(request, name);
  return parse(request.headers.get('Cookie') ?? '', full)[full] ?? null;
}

/** Returns a `Set-Cookie` value for one of this service's cookies. If `seconds` is 0, the value deletes the cookie. */
export const setCookie = (
  request: Request,
  name: CookieName,
  value: string,
  seconds: number,
): string =>
  serialize(cookieName(request, name), value, {
    path: '/',
    maxAge: seconds,
    httpOnly: true,
    secure: keepsSecureCookies(request),
    sameSite: 'Lax',
  });

/**
 * The `__Host-` prefix prevents other hosts in the domain from setting the cookie (RFC 6265bis, section 4.1.3.2). It
 * requires https. On localhost, the name contains the port instead, because browsers share cookies between ports and
 * several services may run on localhost.
 */
function cookieName(request: Request, name: string): string {
  const url = new URL(request.url);
  return url.hostname === 'localhost' ? `${name}-${url.port || '80'}` : `__Host-${name}`;
}

/** Whether the browser accepts Secure cookies. Only Safari rejects them on http://localhost. */
function keepsSecureCookies(request: Request): boolean {
  if (new URL(request.url).hostname !== 'localhost') return true;
  const agent = request.headers.get('User-Agent') ?? '';
  return !(/ Safari\//.test(agent) && !/ (Chrome|Chromium|HeadlessChrome)\//.test(agent));
}
