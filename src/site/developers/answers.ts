/** Builds the responses of /developers: the page, a redirect, or JSON for the page's script. */

import { overviewOf } from '../../access/accounts/overview.ts';
import { beginSession } from '../../access/accounts/sessions.ts';
import type { FirstCall } from '../../core/reference.ts';
import { type App, type AppContext, endpoint, type Handler } from '../../http.ts';
import { log } from '../../lib/log.ts';
import { readReference } from '../docs/read-reference.ts';
import { page } from '../page.ts';
import { readPostedForm } from '../posted-form.ts';
import { siteOf } from '../site.ts';
import { toolsOff } from '../tools-off.ts';
import { DevelopersPage } from './developers-page.tsx';
import type { Done, Notice } from './notices.ts';
import { changingVisit, type Visit, visitOf } from './visit.ts';

export async function developersPage(
  c: AppContext,
  visit: Visit,
  notice?: Notice,
  status = 200,
): Promise<Response> {
  const { config } = c.env.services;
  const overview = visit.account && (await overviewOf(c.env.services, visit.account, visit.now));
  // The example is not loaded for signed-in visitors. A page that shows a new key must not fail because of the example.
  const example = overview ? undefined : await firstCall(c);
  return page(
    DevelopersPage({
      site: { ...siteOf(c), path: '/developers' },
      signInAt: visit.signInAt,
      github: config.github !== undefined,
      singleSignOn: config.oidc !== undefined,
      closed: config.requireSignIn,
      hasLimits: config.rateLimits,
      off: toolsOff(c),
      sessionId: visit.sessionId,
      overview,
      example,
      notice,
      now: visit.now,
    }),
    {
      status,
      personal: true,
      formTargets: config.github ? [new URL(config.github.url).origin] : [],
    },
  );
}

/** Reads the example of a first call. If that fails, logs the error and returns undefined. */
async function firstCall(c: AppContext): Promise<FirstCall | undefined> {
  try {
    return await readReference<FirstCall>(c, 'first-call.json');
  } catch (cause) {
    log('error', 'first-call-not-read', { cause });
    return undefined;
  }
}

/** Returns a redirect to the page. */
export const backToPage = (done?: Done, cookies: readonly string[] = []): Response =>
  seeOther(done === undefined ? '/developers' : `/developers?done=${done}`, cookies);

/** Signs in to the account, and redirects to the page. */
export async function startSession(
  c: AppContext,
  { now }: Visit,
  done: Done,
  accountId: string,
): Promise<Response> {
  return backToPage(done, [await beginSession(c.req.raw, accountId, c.env.services.sessions, now)]);
}

/** Returns a redirect as the response to a form. The browser then requests the page at `address`. */
export function seeOther(address: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({ Location: address, 'Cache-Control': 'no-store' });
  for (const cookie of cookies) headers.append('Set-Cookie', cookie);
  return new Response(null, { status: 303, headers });
}

/** Returns the JSON response to a script. */
export const json = (value: unknown, headers: Record<string, string> = {}): Response =>
  Response.json(value, { headers: { 'Cache-Control': 'no-store', ...headers } });

/** Registers a path that the page's forms post to. A GET is redirected to the page. */
export function formEndpoint(app: App, path: string, POST: Handler): void {
  endpoint(app, path, { POST, GET: () => backToPage() });
}

/** Handles a form on the page. Refuses forms sent from other sites, and shows errors on the page. */
export function answerForm(
  handle: (c: AppContext, visit: Visit, form: URLSearchParams) => Promise<Response>,
) {
  return (c: AppContext): Promise<Response> =>
    withErrorPage(c, async () => {
      const visit = await changingVisit(c);
      return handle(c, visit, await readPostedForm(c.req.raw));
    });
}

/** Runs `answer`. If it throws an error for the caller, returns the page with the error message. */
export async function withErrorPage(
  c: AppContext,
  answer: () => Promise<Response>,
): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    const { message: text, status, retryAfter, headers } = c.env.fail(error);
    const response = await developersPage(c, await visitOf(c), { kind: 'problem', text }, status);
    for (const [name, value] of Object.entries(headers ?? {})) response.headers.set(name, value);
    if (retryAfter !== undefined) response.headers.set('Retry-After', String(retryAfter));
    return response;
  }
}
