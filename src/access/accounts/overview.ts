/** Collects the data that the account page shows. */
import type { Account, AccountStore, Passkey } from '../../core/account-store.ts';
import type { LoggedAttempt } from '../../core/jobs.ts';
import type { KeyRecord, KeyStore } from '../../core/key-store.ts';
import type { SessionRecord, SessionStore } from '../../core/session-store.ts';
import type { DayUsage, RefusedCall, UsageStore } from '../../core/usage-store.ts';
import { type ExactlySpent, firstDayOf } from '../usage-report.ts';

interface Stores {
  keys: KeyStore;
  accounts: AccountStore;
  sessions: SessionStore;
  usage: UsageStore;
  access: { spent: ExactlySpent };
}

export interface Overview {
  account: Account;
  keys: (KeyRecord & { requestsToday: number; tokensThisMonth: number; bytesToday: number })[];
  passkeys: Passkey[];
  sessions: SessionRecord[];
  days: DayUsage[];
  refused: RefusedCall[];
  webhookAttempts: LoggedAttempt[];
}

export async function overviewOf(
  { keys, accounts, sessions, usage, access }: Stores,
  account: Account,
  now: number,
): Promise<Overview> {
  const subject = { accountId: account.id };
  const [records, passkeys, open, days, spent, refused, webhookAttempts] = await Promise.all([
    keys.list(account.id),
    accounts.passkeys(account.id),
    sessions.list(account.id, now),
    usage.days(subject, firstDayOf(now)),
    usage.spent(subject, now),
    usage.refused(subject, 20),
    accounts.webhookAttempts(account.id),
  ]);
  const exact = await access.spent(records);
  const spentBy = new Map((exact ?? spent).map((entry) => [entry.keyId, entry]));
  return {
    account,
    keys: records.map((key) => ({
      ...key,
      requestsToday: spentBy.get(key.id)?.requestsToday ?? 0,
      tokensThisMonth: spentBy.get(key.id)?.tokensThisMonth ?? 0,
      bytesToday: spentBy.get(key.id)?.bytesToday ?? 0,
      lastUsedAt: spentBy.get(key.id)?.lastUsedAt ?? key.lastUsedAt,
    })),
    passkeys,
    sessions: open,
    days,
    refused,
    webhookAttempts,
  };
}
