/** The store of accounts and their sign-in methods. Times are milliseconds since the epoch. */
import type { LoggedAttempt } from './jobs.ts';

export interface Account {
  id: string;
  name: string;
  createdAt: number;
  /** The login of the linked GitHub user, or null. */
  github: string | null;
  /** Whether a user of the identity provider is linked. */
  singleSignOn: boolean;
  recoveryCodes: number;
  /** The time at which the current recovery codes were created, or null if no codes are left. */
  recoveryCodesMadeAt: number | null;
}

export interface Passkey {
  /** The credential ID in base64url. */
  id: string;
  accountId: string;
  name: string;
  /** The COSE key in base64url. */
  publicKey: string;
  /** The authenticator's signature counter, or 0 if the authenticator has none. */
  counter: number;
  transports: string[];
  createdAt: number;
  lastUsedAt: number | null;
}

export type ChallengePurpose = 'sign-up' | 'add' | 'sign-in';

export interface Challenge {
  purpose: ChallengePurpose;
  /** The account to which a new passkey is added. Empty for a sign-in. */
  accountId: string;
  /** The name of the account or of the new passkey. Empty for a sign-in. */
  name: string;
}

export interface AccountStore {
  find(id: string): Promise<Account | null>;
  /** Deletes an account with everything that refers to it. */
  delete(id: string): Promise<void>;

  /** Adds an attempt to the account's webhook log. Drops the oldest attempts if the log is full. */
  logWebhook(accountId: string, attempt: LoggedAttempt): Promise<void>;
  /** Returns the attempts in the account's webhook log, newest first. */
  webhookAttempts(accountId: string): Promise<LoggedAttempt[]>;

  issueChallenge(challenge: string, about: Challenge, expiresAt: number): Promise<void>;
  /** Returns the data of a challenge once, or null if it is unknown, used or expired. */
  takeChallenge(challenge: string, now: number): Promise<Challenge | null>;

  /** Creates an account with its first passkey. Returns false if the passkey is already registered. */
  createWithPasskey(name: string, passkey: Omit<Passkey, 'lastUsedAt'>): Promise<boolean>;
  addPasskey(passkey: Omit<Passkey, 'lastUsedAt'>): Promise<boolean>;
  findPasskey(id: string): Promise<Passkey | null>;
  passkeys(accountId: string): Promise<Passkey[]>;
  usePasskey(id: string, counter: number, now: number): Promise<void>;
  /**
   * Removes a passkey. Returns false if it is the account's last sign-in method or the account has no such passkey.
   */
  removePasskey(id: string, accountId: string): Promise<boolean>;

  /**
   * Replaces the recovery codes that were created at `replaced`, or creates the first ones if it is null. Returns false
   * if the account has codes that were created at another time.
   */
  setRecoveryCodes(
    accountId: string,
    hashes: readonly string[],
    now: number,
    replaced: number | null,
  ): Promise<boolean>;
  /** Deletes a recovery code and returns its account, or null if there is no such code. */
  takeRecoveryCode(hash: string): Promise<string | null>;

  /** Returns the account of a GitHub user. Creates it with `newId` on the first sign-in. */
  findOrCreateByGithub(
    user: { id: string; login: string },
    newId: string,
    now: number,
  ): Promise<string>;
  /** Returns the account of a GitHub user, or null. */
  findByGithub(userId: string): Promise<string | null>;
  /**
   * Links a GitHub user to an account. Returns false if the user is already linked to another account, or the account
   * to another user.
   */
  linkGithub(user: { id: string; login: string }, accountId: string, now: number): Promise<boolean>;
  /** Unlinks the account's GitHub user. Returns false if it is the last sign-in method or there is no such user. */
  unlinkGithub(accountId: string): Promise<boolean>;

  /** Returns the account of a user of the identity provider. Creates it with `newId` on the first sign-in. */
  findOrCreateByOidc(
    user: { issuer: string; subject: string; email: string | null; name: string },
    newId: string,
    now: number,
  ): Promise<string>;

  cleanUp(now: number): Promise<void>;
}
