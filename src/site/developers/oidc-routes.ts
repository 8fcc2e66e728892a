/** Sign-in with the team's identity provider: the redirect there and the callback. */
import { type OidcSettings, oidcAddress, oidcUser } from '../../access/accounts/oidc.ts';
import { beginSession, readCookie, setCookie } from '../../access/accounts/sessions.ts';
import type { SignInSite } from '../../access/accounts/sign-in-site.ts';
import { notFound } from '../../core/errors.ts';
import { type App, type AppContext, endpoint } from '../../http.ts';
import { backToPage, sayingProblems } from './answers.ts';
import { limitVisitor, requireSignInSite, visitOf } from './visit.ts';

/** How long a person may take at the provider. */
const COOKIE_SECONDS = 600;

export function oidcRoutes(app: App): void {
  // A link, not a form: the browser would apply the page's form-action to the redirect.
  endpoint(app, '/developers/oidc', {
    GET: (c) =>
      sayingProblems(c, async () => {
        const settings = settingsOf(c);
        await limitVisitor(c, 'sign-in');
        const callback = callbackAt(requireSignInSite(await visitOf(c)));
        const { address, cookie } = await oidcAddress(settings, callback);
        return new Response(null, {
          status: 303,
          headers: {
            Location: address,
            'Set-Cookie': setCookie(c.req.raw, 'oidc', cookie, COOKIE_SECONDS),
            'Cache-Control': 'no-store',
          },
        });
      }),
  });
  endpoint(app, '/developers/oidc/callback', {
    GET: async (c) => {
      const response = await sayingProblems(c, () => comeBack(c));
      // Whatever the outcome, a response of the provider counts only once.
      response.headers.append('Set-Cookie', setCookie(c.req.raw, 'oidc', '', 0));
      return response;
    },
  });
}

async function comeBack(c: AppContext): Promise<Response> {
  const visit = await visitOf(c);
  const { accounts, sessions } = c.env.services;
  const user = await oidcUser(
    settingsOf(c),
    callbackAt(requireSignInSite(visit)),
    new URL(c.req.url).searchParams,
    readCookie(c.req.raw, 'oidc'),
  );
  const id = await accounts.findOrCreateByOidc(user, crypto.randomUUID(), visit.now);
  return backToPage('welcome', [await beginSession(c.req.raw, id, sessions, visit.now)]);
}

const callbackAt = (signInAt: SignInSite) => `${signInAt.origin}/developers/oidc/callback`;

function settingsOf(c: AppContext): OidcSettings {
  const { oidc } = c.env.services.config;
  if (oidc) return oidc;
  throw notFound('Single sign-on is not configured here. Use a passkey.');
}
