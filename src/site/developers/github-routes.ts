/** Sign-in with GitHub: the redirect there and the callback. */
import { type GithubSettings, githubAddress, githubUser } from '../../access/accounts/github.ts';
import { beginSession, readCookie, setCookie } from '../../access/accounts/sessions.ts';
import type { SignInSite } from '../../access/accounts/sign-in-site.ts';
import { conflict, notFound } from '../../core/errors.ts';
import { type App, type AppContext, endpoint } from '../../http.ts';
import { answerForm, backToPage, formEndpoint, sayingProblems } from './answers.ts';
import { limitVisitor, requireOpenSignUp, requireSignInSite, signedIn, visitOf } from './visit.ts';

/** How long a person may take at GitHub. */
const COOKIE_SECONDS = 600;

export function githubRoutes(app: App): void {
  formEndpoint(
    app,
    '/developers/github',
    answerForm(async (c, visit) => {
      const settings = settingsOf(c);
      await limitVisitor(c, 'sign-in');
      const { address, cookie } = await githubAddress(
        settings,
        callbackAt(requireSignInSite(visit)),
      );
      return new Response(null, {
        status: 303,
        headers: {
          Location: address,
          'Set-Cookie': setCookie(c.req.raw, 'github', cookie, COOKIE_SECONDS),
          'Cache-Control': 'no-store',
        },
      });
    }),
  );
  endpoint(app, '/developers/github/callback', {
    GET: async (c) => {
      const response = await sayingProblems(c, () => comeBack(c));
      // Whatever the outcome, a response of GitHub counts only once.
      response.headers.append('Set-Cookie', setCookie(c.req.raw, 'github', '', 0));
      return response;
    },
  });
  formEndpoint(
    app,
    '/developers/github/disconnect',
    answerForm(async (c, visit) => {
      if (!(await c.env.services.accounts.unlinkGithub(signedIn(visit).id))) {
        throw conflict('GitHub is your only way to sign in. Add a passkey first.');
      }
      return backToPage('github-disconnected');
    }),
  );
}

/** Connects GitHub to the account of a signed-in visitor; signs in anybody else. */
async function comeBack(c: AppContext): Promise<Response> {
  const visit = await visitOf(c);
  const { accounts, sessions } = c.env.services;
  const user = await githubUser(
    settingsOf(c),
    callbackAt(requireSignInSite(visit)),
    new URL(c.req.url).searchParams,
    readCookie(c.req.raw, 'github'),
  );
  if (visit.account) {
    if (!(await accounts.linkGithub(user, visit.account.id, visit.now))) {
      throw conflict(
        `${user.login} belongs to another account, or this account has another GitHub user.`,
      );
    }
    return backToPage('github-connected');
  }
  if ((await accounts.findByGithub(user.id)) === null) requireOpenSignUp(c);
  const id = await accounts.findOrCreateByGithub(user, crypto.randomUUID(), visit.now);
  return backToPage('welcome', [await beginSession(c.req.raw, id, sessions, visit.now)]);
}

const callbackAt = (signInAt: SignInSite) => `${signInAt.origin}/developers/github/callback`;

function settingsOf(c: AppContext): GithubSettings {
  const { github } = c.env.services.config;
  if (github) return github;
  throw notFound('Sign-in with GitHub is not configured here. Use a passkey.');
}
