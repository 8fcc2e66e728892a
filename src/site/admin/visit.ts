/** Defines an operator's visit to /admin. An operator is a signed-in account that ADMIN_ACCOUNTS names. */
import type { Operating } from '../../admin/stores.ts';
import type { Account } from '../../core/account-store.ts';
import { ToolError } from '../../core/errors.ts';
import type { AppContext } from '../../http.ts';
import { type Visit, visitOf } from '../developers/visit.ts';

/** How long an operator can make changes after using a passkey, in milliseconds. */
const FRESH_MS = 15 * 60_000;

export interface AdminVisit extends Visit {
  account: Account;
  /** Whether the passkey was used recently enough to allow changes. */
  isFresh: boolean;
}

/** Returns the operator's visit, or null for anyone else, so that /admin returns 404. */
export async function adminVisitOf(c: AppContext): Promise<AdminVisit | null> {
  const { adminAccounts } = c.env.services.config;
  if (adminAccounts.size === 0) return null;
  const visit = await visitOf(c);
  const { account } = visit;
  if (!account || !adminAccounts.has(account.id)) return null;
  return { ...visit, account, isFresh: isFresh(visit) };
}

const isFresh = ({ passkeyAt, now }: Visit) => passkeyAt !== null && now - passkeyAt < FRESH_MS;

/**
 * Throws 403 if the visitor is an operator who has not used a passkey recently. Without this check, someone with a
 * stolen session could add a new passkey and confirm changes with it.
 */
export function requireFreshOperator(c: AppContext, visit: Visit): void {
  const { adminAccounts } = c.env.services.config;
  if (!visit.account || !adminAccounts.has(visit.account.id) || isFresh(visit)) return;
  throw new ToolError(
    'invalid_key',
    'This account operates the service. Open /admin and confirm with your passkey first.',
    { status: 403 },
  );
}

/**
 * The IP addresses of an operator who connects from the machine that runs the service. Which one is used depends on how
 * `localhost` resolves.
 */
const LOOPBACK = ['127.0.0.1', '::1'];

export function operatingOf(c: AppContext, { account }: AdminVisit): Operating {
  const address = c.req.header('CF-Connecting-IP') ?? '';
  const addresses = LOOPBACK.includes(address) ? LOOPBACK : [address];
  return { who: `account:${account.id}`, addresses };
}
