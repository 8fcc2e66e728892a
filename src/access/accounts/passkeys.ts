/** Registers passkeys (WebAuthn) for new and existing accounts, and signs users in with them. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { AccountStore, Challenge, ChallengePurpose } from '../../core/account-store.ts';
import { badRequest, conflict, ToolError } from '../../core/errors.ts';
import { fromBase64Url, toBase64Url } from './base64url.ts';
import type { SignInSite } from './sign-in-site.ts';

/** The lifetime of a challenge in milliseconds, which is also the time limit in the browser. */
const CHALLENGE_MS = 5 * 60_000;
const MAX_PASSKEYS = 20;

/** The library is imported on demand, because it is 77 KiB in size and only sign-in needs it. */
const webAuthn = () => import('@simplewebauthn/server');

/**
 * Returns the options for `navigator.credentials.create`. They create a passkey for a new account or, if `existing` is
 * given, another passkey for that account.
 */
export async function passkeyOptions(
  about: { serviceName: string; signInAt: SignInSite; name: string },
  existing: { accountId: string; accountName: string } | null,
  accounts: AccountStore,
  now: number,
) {
  const accountId = existing?.accountId ?? crypto.randomUUID();
  const known = existing ? await accounts.passkeys(accountId) : [];
  if (known.length >= MAX_PASSKEYS) {
    throw conflict(`The limit is ${MAX_PASSKEYS} passkeys per account. Remove one first.`);
  }
  const userName = existing?.accountName ?? about.name;
  const { generateRegistrationOptions } = await webAuthn();
  const options = await generateRegistrationOptions({
    rpName: about.serviceName,
    rpID: about.signInAt.domain,
    userID: Uint8Array.from(new TextEncoder().encode(accountId)),
    userName,
    userDisplayName: userName,
    timeout: CHALLENGE_MS,
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports })),
    // Users do not enter a username at sign-in, so the passkey must identify its owner. The passkey is the only factor,
    // so it must also verify the user.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  await accounts.issueChallenge(
    options.challenge,
    { purpose: existing ? 'add' : 'sign-up', accountId, name: about.name },
    now + CHALLENGE_MS,
  );
  return options;
}

/** Returns the options for `navigator.credentials.get`. */
export async function signInOptions(signInAt: SignInSite, accounts: AccountStore, now: number) {
  const { generateAuthenticationOptions } = await webAuthn();
  const options = await generateAuthenticationOptions({
    rpID: signInAt.domain,
    timeout: CHALLENGE_MS,
    userVerification: 'required',
  });
  const about: Challenge = { purpose: 'sign-in', accountId: '', name: '' };
  await accounts.issueChallenge(options.challenge, about, now + CHALLENGE_MS);
  return options;
}

/**
 * Verifies the browser's response to `passkeyOptions` and stores the passkey. It belongs to the account `signedInAs`
 * or, if nobody is signed in, to a new account. Returns the account's ID. Throws 400 if the verification fails, and 409
 * if the passkey is already registered.
 */
export async function addPasskey(
  answer: Record<string, unknown>,
  from: { signInAt: SignInSite; browser: string; signedInAs: string | null },
  accounts: AccountStore,
  now: number,
): Promise<string> {
  const purpose = from.signedInAs === null ? 'sign-up' : 'add';
  const { challenge, about } = await answeredChallenge(answer, purpose, accounts, now);
  if (from.signedInAs !== null && about.accountId !== from.signedInAs) throw staleChallenge();
  const { verifyRegistrationResponse } = await webAuthn();
  const { verified, registrationInfo } = await proving(
    verifyRegistrationResponse({
      response: answer as unknown as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: from.signInAt.origin,
      expectedRPID: from.signInAt.domain,
      requireUserVerification: true,
    }),
  );
  if (!verified) throw unproven();
  const { credential } = registrationInfo;
  const passkey = {
    id: credential.id,
    accountId: about.accountId,
    name: purpose === 'add' && about.name ? about.name : from.browser,
    publicKey: toBase64Url(credential.publicKey),
    counter: credential.counter,
    transports: (credential.transports ?? []).slice(0, 10).map(String),
    createdAt: now,
  };
  const stored =
    purpose === 'sign-up'
      ? await accounts.createWithPasskey(about.name, passkey)
      : await accounts.addPasskey(passkey);
  if (!stored) throw conflict('This passkey is already registered. Sign in with it.');
  return about.accountId;
}

/** Verifies the browser's response to `signInOptions`. Returns the account's ID. Throws 400 or 401. */
export async function signInWithPasskey(
  answer: Record<string, unknown>,
  signInAt: SignInSite,
  accounts: AccountStore,
  now: number,
): Promise<string> {
  const { challenge } = await answeredChallenge(answer, 'sign-in', accounts, now);
  const passkey = await accounts.findPasskey(String(answer.id));
  if (!passkey) {
    throw new ToolError(
      'invalid_key',
      'This passkey is not registered with any account. Use another passkey, or create an account.',
    );
  }
  const { verifyAuthenticationResponse } = await webAuthn();
  const { verified, authenticationInfo } = await proving(
    verifyAuthenticationResponse({
      response: answer as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: signInAt.origin,
      expectedRPID: signInAt.domain,
      requireUserVerification: true,
      credential: {
        id: passkey.id,
        publicKey: fromBase64Url(passkey.publicKey),
        counter: passkey.counter,
      },
    }),
  );
  if (!verified) throw unproven();
  await accounts.usePasskey(passkey.id, authenticationInfo.newCounter, now);
  return passkey.accountId;
}

/** Removes the response's challenge from the store before any check, so that the challenge works only once. */
async function answeredChallenge(
  answer: Record<string, unknown>,
  purpose: ChallengePurpose,
  accounts: AccountStore,
  now: number,
): Promise<{ challenge: string; about: Challenge }> {
  const challenge = challengeIn(answer);
  const about = challenge === null ? null : await accounts.takeChallenge(challenge, now);
  if (challenge === null || about?.purpose !== purpose) throw staleChallenge();
  return { challenge, about };
}

/** Returns the challenge inside `response.clientDataJSON` (WebAuthn, section 5.8.1), or null. */
function challengeIn(answer: Record<string, unknown>): string | null {
  try {
    const { clientDataJSON } = answer.response as { clientDataJSON: string };
    const { challenge } = JSON.parse(new TextDecoder().decode(fromBase64Url(clientDataJSON)));
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}

/** Converts a failed verification to 400. The library rejects if a response is malformed or cannot be verified. */
function proving<Result>(verification: Promise<Result>): Promise<Result> {
  return verification.catch(() => {
    throw unproven();
  });
}

const unproven = () => badRequest('The passkey could not be verified. Try again.');

const staleChallenge = () =>
  badRequest('The passkey request expired or was sent twice. Try again.');
