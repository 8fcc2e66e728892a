/**
 * Handles sign-up, sign-in and additional passkeys. In each case, the browser first requests options, then posts the
 * authenticator's response.
 */
import { browserName } from '../../access/accounts/browser-name.ts';
import {
  addPasskey,
  passkeyOptions,
  signInOptions,
  signInWithPasskey,
} from '../../access/accounts/passkeys.ts';
import { beginSession } from '../../access/accounts/sessions.ts';
import { conflict, unsupportedMediaType } from '../../core/errors.ts';
import { type App, type AppContext, endpoint, type Handler } from '../../http.ts';
import { mediaTypeOf } from '../../lib/body.ts';
import { requireFreshOperator } from '../admin/visit.ts';
import { readPostedJson } from '../posted-form.ts';
import { answerForm, backToPage, formEndpoint, json } from './answers.ts';
import type { Done } from './notices.ts';
import {
  changingVisit,
  limitVisitor,
  nameIn,
  requireOpenSignUp,
  requireSignInSite,
  signedIn,
} from './visit.ts';

export function passkeyRoutes(app: App): void {
  endpoint(app, '/developers/sign-up/options', {
    POST: async (c) => {
      const visit = await changingVisit(c);
      requireOpenSignUp(c);
      await limitVisitor(c, 'sign-in');
      const name = nameIn((await readPostedJson(c.req.raw)).name, 'name');
      const about = { serviceName: serviceName(c), signInAt: requireSignInSite(visit), name };
      return json(await passkeyOptions(about, null, c.env.services.accounts, visit.now));
    },
  });
  passkeyEndpoint(app, '/developers/sign-up', async (c) => {
    const visit = await changingVisit(c);
    requireOpenSignUp(c);
    const { accounts } = c.env.services;
    const from = { signInAt: requireSignInSite(visit), browser: browser(c), signedInAs: null };
    const id = await addPasskey(await readPostedJson(c.req.raw), from, accounts, visit.now);
    return signIn(c, id, visit.now);
  });
  endpoint(app, '/developers/sign-in/options', {
    POST: async (c) => {
      const visit = await changingVisit(c);
      await limitVisitor(c, 'sign-in');
      const signInAt = requireSignInSite(visit);
      return json(await signInOptions(signInAt, c.env.services.accounts, visit.now));
    },
  });
  passkeyEndpoint(app, '/developers/sign-in', async (c) => {
    const visit = await changingVisit(c);
    const { accounts } = c.env.services;
    const answer = await readPostedJson(c.req.raw);
    return signIn(
      c,
      await signInWithPasskey(answer, requireSignInSite(visit), accounts, visit.now),
      visit.now,
    );
  });
  endpoint(app, '/developers/passkeys/options', {
    POST: async (c) => {
      const visit = await changingVisit(c);
      const account = signedIn(visit);
      requireFreshOperator(c, visit);
      await limitVisitor(c, 'sign-in');
      const given = (await readPostedJson(c.req.raw)).name;
      const name = given === undefined || given === '' ? '' : nameIn(given, 'name');
      return json(
        await passkeyOptions(
          { serviceName: serviceName(c), signInAt: requireSignInSite(visit), name },
          { accountId: account.id, accountName: account.name },
          c.env.services.accounts,
          visit.now,
        ),
      );
    },
  });
  passkeyEndpoint(app, '/developers/passkeys', async (c) => {
    const visit = await changingVisit(c);
    const { accounts } = c.env.services;
    const signedInAs = signedIn(visit).id;
    requireFreshOperator(c, visit);
    const from = { signInAt: requireSignInSite(visit), browser: browser(c), signedInAs };
    await addPasskey(await readPostedJson(c.req.raw), from, accounts, visit.now);
    return goTo('passkey-added');
  });
  formEndpoint(
    app,
    '/developers/passkeys/:id/remove',
    answerForm(async (c, visit) => {
      const { id } = signedIn(visit);
      if (!(await c.env.services.accounts.removePasskey(c.req.param('id') ?? '', id))) {
        throw conflict(
          'The passkey was not removed: it is your only way to sign in, or it does not exist. Add another passkey first, or reload the page.',
        );
      }
      return backToPage('passkey-removed');
    }),
  );
}

/**
 * Handles requests from the page's script. If a form was sent without the script, returns the page with an explanation.
 */
function passkeyEndpoint(app: App, path: string, answer: Handler): void {
  const withoutScript = answerForm(async () => {
    throw unsupportedMediaType(
      'Passkeys need JavaScript, which did not load. Try again, or enable JavaScript.',
    );
  });
  formEndpoint(app, path, (c) => {
    const type = mediaTypeOf(c.req.raw.headers.get('Content-Type'));
    return (type === 'application/x-www-form-urlencoded' ? withoutScript : answer)(c);
  });
}

async function signIn(c: AppContext, accountId: string, now: number): Promise<Response> {
  const { sessions } = c.env.services;
  return goTo('welcome', await beginSession(c.req.raw, accountId, sessions, now, 'passkey'));
}

/** Returns a response with the URL that the page's script opens next. */
const goTo = (done: Done, cookie?: string) =>
  json({ goTo: `/developers?done=${done}` }, cookie === undefined ? {} : { 'Set-Cookie': cookie });

const serviceName = (c: AppContext) => c.env.services.config.serviceName;
const browser = (c: AppContext) => browserName(c.req.raw.headers.get('User-Agent'));
