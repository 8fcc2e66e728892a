/** Accounts and the ways into them, as they are kept. Times are ms since the epoch. */

export interface Account {
  id: string;
  name: string;
  createdAt: number;
  /** The GitHub user that signs in to it. */
  github: string | null;
  recoveryCodes: number;
  /** When those were made; null where none are left. */
  recoveryCodesMadeAt: number | null;
}

export interface Passkey {
  /** Credential id, base64url. */
  id: string;
  accountId: string;
  name: string;
  /** COSE key, base64url. */
  publicKey: string;
  /** The authenticator's signature counter; 0 where it keeps none. */
  counter: number;
  transports: string[];
  createdAt: number;
  lastUsedAt: number | null;
}

export type ChallengePurpose = 'sign-up' | 'add' | 'sign-in';

export interface Challenge {
  purpose: ChallengePurpose;
  /** Whose passkey is being made; empty for a sign-in. */
  accountId: string;
  /** The name of the account or of the passkey to be made. */
  name: string;
}

export interface AccountStore {
  find(id: string): Promise<Account | null>;
  /** Deletes an account with everything that names it. */
  delete(id: string): Promise<void>;

  issueChallenge(challenge: string, about: Challenge, expiresAt: number): Promise<void>;
  /** What a challenge was about, once; null where it is unknown, answered or too old. */
  takeChallenge(challenge: string, now: number): Promise<Challenge | null>;

  /** An account with its first passkey; false where the passkey is known already. */
  createWithPasskey(name: string, passkey: Omit<Passkey, 'lastUsedAt'>): Promise<boolean>;
  addPasskey(passkey: Omit<Passkey, 'lastUsedAt'>): Promise<boolean>;
  findPasskey(id: string): Promise<Passkey | null>;
  passkeys(accountId: string): Promise<Passkey[]>;
  usePasskey(id: string, counter: number, now: number): Promise<void>;
  /** False where it would be the last way in. */
  removePasskey(id: string, accountId: string): Promise<boolean>;

  /** Replaces an account's recovery codes that were made at `replaced`; false where it has others. */
  setRecoveryCodes(
    accountId: string,
    hashes: readonly string[],
    now: number,
    replaced: number | null,
  ): Promise<boolean>;
  /** The account that a code opens, once. */
  takeRecoveryCode(hash: string): Promise<string | null>;

  /** The account of a GitHub user; made with `newId` where there is none. */
  findOrCreateByGithub(
    user: { id: string; login: string },
    newId: string,
    now: number,
  ): Promise<string>;
  /** False where the GitHub user signs in to another account, or the account has another GitHub user. */
  linkGithub(user: { id: string; login: string }, accountId: string, now: number): Promise<boolean>;
  /** False where it would be the last way in. */
  unlinkGithub(accountId: string): Promise<boolean>;

  cleanUp(now: number): Promise<void>;
}
