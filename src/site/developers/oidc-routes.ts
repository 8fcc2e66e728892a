/** Signs in with the team's identity provider. */
import { oidcAddress, oidcUser } from '../../access/accounts/oidc.ts';
import { notFound } from '../../core/errors.ts';
import { type App, type AppContext, endpoint } from '../../http.ts';
import { startSession, withErrorPage } from './answers.ts';
import { callbackEndpoint, goToProvider } from './identity-provider.ts';
import { visitOf } from './visit.ts';

export function oidcRoutes(app: App): void {
  // This is a link instead of a form, because the browser would apply the page's form-action policy to the redirect.
  endpoint(app, '/developers/oidc', {
    GET: (c) =>
      withErrorPage(c, async () => {
        const settings = settingsOf(c);
        return goToProvider(c, await visitOf(c), 'oidc', (at) => oidcAddress(settings, at));
      }),
  });
  callbackEndpoint(app, 'oidc', async (c, visit, answered) => {
    const user = await oidcUser(settingsOf(c), ...answered);
    const { accounts } = c.env.services;
    const id = await accounts.findOrCreateByOidc(user, crypto.randomUUID(), visit.now);
    return startSession(c, visit, 'welcome', id);
  });
}

function settingsOf(c: AppContext) {
  const { oidc } = c.env.services.config;
  if (oidc) return oidc;
  throw notFound('Single sign-on is not configured here. Use a passkey.');
}
