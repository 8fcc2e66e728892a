/** A visit to /developers, with the account, the session and the URL for sign-in. */
import { sessionOf } from '../../access/accounts/sessions.ts';
import {
  type NoSignIn,
  requireOwnOrigin,
  type SignInSite,
  signInSite,
} from '../../access/accounts/sign-in-site.ts';
import type { VisitorAction } from '../../access/visitor-limits.ts';
import type { Account } from '../../core/account-store.ts';
import { badRequest, ToolError } from '../../core/errors.ts';
import { givenName } from '../../core/given-name.ts';
import type { AppContext } from '../../http.ts';

export interface Visit {
  signInAt: SignInSite | NoSignIn;
  /** The account, or null if nobody is signed in. */
  account: Account | null;
  sessionId: string | null;
  /** The time at which the visitor last used a passkey in this session, in Unix milliseconds. Null if never. */
  passkeyAt: number | null;
  now: number;
}

/** Counts an action of the visitor's IP address. Throws 429 if it reached the limit, and 403 if it is blocked. */
export const limitVisitor = (c: AppContext, action: VisitorAction): Promise<void> =>
  c.env.services.access.allowVisitor(c.req.raw, action, c.env.carry);

export async function visitOf(c: AppContext): Promise<Visit> {
  const { config, sessions, accounts } = c.env.services;
  const now = Date.now();
  const signInAt = signInSite(c.req.url, config.baseUrl);
  const session = 'origin' in signInAt ? await sessionOf(c.req.raw, sessions, now) : null;
  const account = session && (await accounts.find(session.accountId));
  const { id: sessionId = null, passkeyAt = null } = (account && session) || {};
  return { signInAt, account, sessionId, passkeyAt, now };
}

/** Starts a visit that makes a change. It is refused unless one of our pages sent the request (CSRF). */
export async function changingVisit(c: AppContext): Promise<Visit> {
  const visit = await visitOf(c);
  requireOwnOrigin(c.req.raw, visit.signInAt);
  return visit;
}

/** Returns the signed-in account. Throws 401 if nobody is signed in. */
export function signedIn(visit: Visit): Account {
  if (visit.account) return visit.account;
  throw new ToolError('invalid_key', 'You are not signed in. Sign in first.');
}

/**
 * Returns the sign-in site. If the page was opened at any other URL, throws 403 with the correct URL in the message.
 */
export function requireSignInSite({ signInAt }: Visit): SignInSite {
  if ('origin' in signInAt) return signInAt;
  throw new ToolError('bad_request', `${signInAt.why} Sign in at ${signInAt.goTo}.`, {
    status: 403,
  });
}

/** Throws 403 if only the identity provider creates accounts. */
export function requireOpenSignUp(c: AppContext): void {
  if (!c.env.services.config.requireSignIn) return;
  throw new ToolError(
    'bad_request',
    'This service creates accounts through single sign-on only. Ask its operator for access.',
    { status: 403 },
  );
}

/**
 * Returns the name if it is valid: 1 to 60 characters and no control characters. Otherwise throws 400 with the name of
 * the field.
 */
export function nameIn(value: unknown, param: string): string {
  const name = givenName(value);
  if (name !== null) return name;
  throw badRequest('Enter a name of 1 to 60 characters without control characters.', param);
}
