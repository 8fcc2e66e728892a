/** The routes under /admin. They return 404 to everyone except operators. */
import { signInOptions, signInWithPasskey } from '../../access/accounts/passkeys.ts';
import { beginSession } from '../../access/accounts/sessions.ts';
import { requireOwnOrigin } from '../../access/accounts/sign-in-site.ts';
import { ACTS, perform } from '../../admin/acts.ts';
import { Finder } from '../../admin/find.ts';
import { notFound, ToolError } from '../../core/errors.ts';
import { subjectText } from '../../core/moderation.ts';
import type { App, AppContext } from '../../http.ts';
import { json, seeOther } from '../developers/answers.ts';
import { limitVisitor, requireSignInSite } from '../developers/visit.ts';
import { page } from '../page.ts';
import { readPostedForm, readPostedJson } from '../posted-form.ts';
import { siteOf } from '../site.ts';
import { type AdminVisit, adminVisitOf, operatingOf } from './visit.ts';

export function adminRoutes(app: App): void {
  app.all('/admin/*', async (c) => {
    const visit = await adminVisitOf(c);
    if (!visit) throw notFound(`There is nothing at ${c.req.path.slice(0, 200)}.`);
    return answer(c, visit);
  });
}

async function answer(c: AppContext, visit: AdminVisit): Promise<Response> {
  const { method } = c.req;
  try {
    if (method === 'GET' || method === 'HEAD') return await adminPage(c, visit);
    requireOwnOrigin(c.req.raw, visit.signInAt);
    switch (`${method} ${c.req.path}`) {
      case 'POST /admin/act':
        return await act(c, visit);
      case 'POST /admin/confirm/options':
        await limitVisitor(c, 'sign-in');
        return json(
          await signInOptions(requireSignInSite(visit), c.env.services.accounts, visit.now),
        );
      case 'POST /admin/confirm':
        return await confirm(c, visit);
    }
    throw noSuchPage();
  } catch (error) {
    // The page's scripts expect errors as JSON.
    if (c.req.path.startsWith('/admin/confirm')) throw error;
    const failure = c.env.fail(error);
    const { retryAfter } = failure;
    if (retryAfter !== undefined) c.env.carry({ 'Retry-After': String(retryAfter) });
    return adminPage(c, visit, failure);
  }
}

const noSuchPage = () => notFound('There is no such page under /admin.');

async function adminPage(c: AppContext, visit: AdminVisit, error?: ToolError): Promise<Response> {
  const { AdminPage } = await import('./admin-page.tsx');
  const { now } = visit;
  const finder = new Finder(c.env.services);
  const query = c.req.query('q')?.slice(0, 2000) ?? '';
  const view = async () => {
    if (error || c.req.path === '/admin') return { overview: await finder.overview(now) };
    if (c.req.path === '/admin/newest') return { newest: await finder.newest() };
    if (c.req.path === '/admin/find') return { found: await finder.find(query, now) };
    throw noSuchPage();
  };
  const done = c.req.query('done') ?? '';
  return page(
    AdminPage({
      site: { ...siteOf(c), path: '/admin' },
      ...(await view()),
      query,
      isFresh: visit.isFresh,
      problem: error?.message,
      done: Object.hasOwn(ACTS, done) ? done : undefined,
    }),
    { status: error?.status ?? 200, personal: true, headers: { 'X-Robots-Tag': 'noindex' } },
  );
}

async function act(c: AppContext, visit: AdminVisit): Promise<Response> {
  if (!visit.isFresh) {
    throw new ToolError(
      'invalid_key',
      'Nothing was changed. Confirm with your passkey first, then try again.',
      { status: 403 },
    );
  }
  const { services } = c.env;
  const fields = Object.fromEntries(await readPostedForm(c.req.raw));
  const subject = await perform(services, operatingOf(c, visit), fields, visit.now);
  // If the announcement does not reach the key's Durable Object, isolates that receive calls with the key repeat it.
  if (subject.kind === 'key') await services.access.announceKeyChanges([subject.value]);
  // This isolate applies the change at once instead of after its next read.
  services.links.forget();
  await services.blocks.reload();
  const query = new URLSearchParams({ q: subjectText(subject), done: fields.act ?? '' });
  return seeOther(`/admin/find?${query}`);
}

/** Starts a new session after the operator has confirmed with a passkey. */
async function confirm(c: AppContext, visit: AdminVisit): Promise<Response> {
  const { accounts, sessions } = c.env.services;
  const proof = await readPostedJson(c.req.raw);
  const id = await signInWithPasskey(proof, requireSignInSite(visit), accounts, visit.now);
  if (id !== visit.account.id) {
    throw new ToolError(
      'invalid_key',
      'This passkey belongs to a different account. Use a passkey of the account you signed in with.',
      { status: 403 },
    );
  }
  const cookie = await beginSession(c.req.raw, id, sessions, visit.now, 'passkey');
  return json({ goTo: pageBefore(c) }, { 'Set-Cookie': cookie });
}

/** Returns the path and query of the page below /admin that sent the request, or `/admin` for any other page. */
function pageBefore(c: AppContext): string {
  const url = URL.parse(c.req.header('Referer') ?? '');
  return url?.pathname.startsWith('/admin/') ? url.pathname + url.search : '/admin';
}
