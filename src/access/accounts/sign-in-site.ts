/**
 * Determines the URLs at which people can sign in. Passkeys and Secure cookies require https or localhost (WebAuthn,
 * section 5).
 */
import { ToolError } from '../../core/errors.ts';

/** The origin at which people sign in, and the domain to which its passkeys belong. */
export interface SignInSite {
  origin: string;
  domain: string;
}

/** The reason why sign-in is impossible at this URL, and a URL at which it is possible. */
export interface NoSignIn {
  why: string;
  goTo: string;
}

/** Compares the host of the service with the host of the request's URL, which the browser's address bar shows. */
export function signInSite(requestUrl: string, baseUrl: string): SignInSite | NoSignIn {
  const url = new URL(requestUrl);
  const base = new URL(baseUrl);
  if (base.protocol === 'https:') {
    // The protocol is not compared, because a proxy may have terminated TLS.
    if (url.host === base.host) return { origin: base.origin, domain: base.hostname };
    return {
      why: `This page was opened at ${url.host}, but passkeys work only at ${base.host}.`,
      goTo: `${base.origin}/developers`,
    };
  }
  if (isLocalhost(url.hostname)) return { origin: `http://${url.host}`, domain: url.hostname };
  const numeric = /^[\d.]+$|^\[/.test(url.hostname);
  return {
    why: numeric
      ? `Passkeys need a domain name, and ${url.hostname} is an IP address.`
      : `This page was loaded over plain http from ${url.hostname}, where browsers do not support passkeys.`,
    goTo: `http://localhost${url.port && `:${url.port}`}/developers`,
  };
}

/** Whether the browser treats plain http from this host as a secure context and stores passkeys for it. */
const isLocalhost = (hostname: string) => hostname === 'localhost';

/**
 * Throws 403 unless one of our pages sent the request. Browsers send the origin with every POST, and pages on other
 * sites, including other ports of localhost, cannot change it.
 */
export function requireOwnOrigin(request: Request, signInAt: SignInSite | NoSignIn): void {
  const origin = request.headers.get('Origin') ?? '';
  const isOwn =
    'origin' in signInAt
      ? origin === signInAt.origin
      : // A proxy may have terminated TLS.
        URL.parse(origin)?.host === new URL(request.url).host;
  if (isOwn) return;
  throw new ToolError(
    'bad_request',
    'This form was not sent from a page on this service. Reload the page and send the form again.',
    { status: 403 },
  );
}
