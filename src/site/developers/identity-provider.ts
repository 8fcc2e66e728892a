/** Signs in through GitHub or the team's identity provider: redirects to the provider and handles the callback. */
import { readCookie, setCookie } from '../../access/accounts/sessions.ts';
import { type App, type AppContext, endpoint } from '../../http.ts';
import { seeOther, withErrorPage } from './answers.ts';
import { limitVisitor, requireSignInSite, type Visit, visitOf } from './visit.ts';

/** The time limit for signing in at the provider, in seconds. */
const COOKIE_SECONDS = 600;

/** The name of the provider in its cookie and in its path. */
type ProviderName = 'github' | 'oidc';

/** Redirects to the provider. The cookie binds the provider's response to this browser. */
export async function goToProvider(
  c: AppContext,
  visit: Visit,
  name: ProviderName,
  addressFor: (callback: string) => Promise<{ address: string; cookie: string }>,
): Promise<Response> {
  await limitVisitor(c, 'sign-in');
  const { address, cookie } = await addressFor(callbackAt(visit, name));
  return seeOther(address, [setCookie(c.req.raw, name, cookie, COOKIE_SECONDS)]);
}

/** Our callback URL, the query with the provider's response, and the cookie that was set before. */
type Answered = [callback: string, query: URLSearchParams, cookie: string | null];

export function callbackEndpoint(
  app: App,
  name: ProviderName,
  handle: (c: AppContext, visit: Visit, answered: Answered) => Promise<Response>,
): void {
  endpoint(app, `/developers/${name}/callback`, {
    GET: async (c) => {
      const response = await withErrorPage(c, async () => {
        const visit = await visitOf(c);
        const query = new URL(c.req.url).searchParams;
        return handle(c, visit, [callbackAt(visit, name), query, readCookie(c.req.raw, name)]);
      });
      // Each response from the provider can be used only once, whether it succeeds or not.
      response.headers.append('Set-Cookie', setCookie(c.req.raw, name, '', 0));
      return response;
    },
  });
}

const callbackAt = (visit: Visit, name: ProviderName) =>
  `${requireSignInSite(visit).origin}/developers/${name}/callback`;
