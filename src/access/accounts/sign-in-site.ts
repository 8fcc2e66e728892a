/** Where people can sign in: passkeys and Secure cookies need https, or localhost (WebAuthn §5, secure contexts). */
import { ToolError } from '../../core/errors.ts';

/** The origin at which people sign in, with the domain that their passkeys belong to. */
export interface SignInSite {
  origin: string;
  domain: string;
}

/** Why nobody can sign in at this address, and the address where one can. */
export interface NoSignIn {
  why: string;
  goTo: string;
}

/** Judges the address in the browser's bar, which the request's URL shows, against the service's own. */
export function signInSite(requestUrl: string, baseUrl: string): SignInSite | NoSignIn {
  const url = new URL(requestUrl);
  const base = new URL(baseUrl);
  if (base.protocol === 'https:') {
    // A proxy may have taken the https off.
    if (url.host === base.host) return { origin: base.origin, domain: base.hostname };
    return {
      why: `This page was opened as ${url.host}, and passkeys belong to ${base.host}.`,
      goTo: `${base.origin}/developers`,
    };
  }
  if (isLocalhost(url.hostname)) return { origin: `http://${url.host}`, domain: url.hostname };
  const numeric = /^[\d.]+$|^\[/.test(url.hostname);
  return {
    why: numeric
      ? `Passkeys belong to a domain name, and ${url.hostname} is a bare address.`
      : `Browsers offer passkeys over https only, or at localhost, and this page came over plain http from ${url.hostname}.`,
    goTo: `http://localhost${url.port && `:${url.port}`}/developers`,
  };
}

/** Whether the browser treats plain http from this host as safe, and keeps passkeys for it. */
const isLocalhost = (hostname: string) => hostname === 'localhost';

/**
 * Throws 403 unless a page of ours sent this. Browsers tell every POST's origin, and other sites, also other ports of
 * localhost, cannot change it.
 */
export function requireOwnOrigin(request: Request, signInAt: SignInSite | NoSignIn): void {
  const origin = request.headers.get('Origin') ?? '';
  const isOwn =
    'origin' in signInAt
      ? origin === signInAt.origin
      : // A proxy may have taken the https off.
        URL.parse(origin)?.host === new URL(request.url).host;
  if (isOwn) return;
  throw new ToolError(
    'bad_request',
    'This form did not come from a page of this service. Open /developers and try again from there.',
    { status: 403 },
  );
}
