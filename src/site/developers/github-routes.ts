/** Signs in with GitHub, and connects a GitHub user to an account. */
import { githubAddress, githubUser } from '../../access/accounts/github.ts';
import { conflict, notFound } from '../../core/errors.ts';
import type { App, AppContext } from '../../http.ts';
import { answerForm, backToPage, formEndpoint, startSession } from './answers.ts';
import { callbackEndpoint, goToProvider } from './identity-provider.ts';
import { requireOpenSignUp, signedIn } from './visit.ts';

export function githubRoutes(app: App): void {
  formEndpoint(
    app,
    '/developers/github',
    answerForm((c, visit) => {
      const settings = settingsOf(c);
      return goToProvider(c, visit, 'github', (at) => githubAddress(settings, at));
    }),
  );
  // A signed-in visitor connects a GitHub user to the account. Any other visitor signs in.
  callbackEndpoint(app, 'github', async (c, visit, answered) => {
    const user = await githubUser(settingsOf(c), ...answered);
    const { accounts } = c.env.services;
    if (visit.account) {
      if (!(await accounts.linkGithub(user, visit.account.id, visit.now))) {
        throw conflict(
          `${user.login} cannot be connected: either it is connected to another account, or this account is connected to another GitHub user. Remove the existing connection first.`,
        );
      }
      return backToPage('github-connected');
    }
    if ((await accounts.findByGithub(user.id)) === null) requireOpenSignUp(c);
    const id = await accounts.findOrCreateByGithub(user, crypto.randomUUID(), visit.now);
    return startSession(c, visit, 'welcome', id);
  });
  formEndpoint(
    app,
    '/developers/github/disconnect',
    answerForm(async (c, visit) => {
      if (!(await c.env.services.accounts.unlinkGithub(signedIn(visit).id))) {
        throw conflict(
          'GitHub was not disconnected: it is your only way to sign in, or it is not connected. Add a passkey first, or reload the page.',
        );
      }
      return backToPage('github-disconnected');
    }),
  );
}

function settingsOf(c: AppContext) {
  const { github } = c.env.services.config;
  if (github) return github;
  throw notFound('Sign-in with GitHub is not configured here. Use a passkey.');
}
