/** Passkeys (WebAuthn): making one for a new account or another one for an account, and signing in with one. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { AccountStore, Challenge, ChallengePurpose } from '../../core/account-store.ts';
import { badRequest, conflict, ToolError } from '../../core/errors.ts';
import { fromBase64Url, toBase64Url } from './base64url.ts';
import type { SignInPlace } from './sign-in-place.ts';

/** How long a person may take; also the browser's own time limit. */
const CHALLENGE_MS = 5 * 60_000;
const MAX_PASSKEYS = 20;

/** 77 KiB that only people who sign in need. */
const webAuthn = () => import('@simplewebauthn/server');

/** What `navigator.credentials.create` needs for a new account, or for another passkey of `existing`. */
export async function passkeyOptions(
  about: { serviceName: string; place: SignInPlace; name: string },
  existing: { accountId: string; accountName: string } | null,
  accounts: AccountStore,
  now: number,
) {
  const accountId = existing?.accountId ?? crypto.randomUUID();
  const known = existing ? await accounts.passkeys(accountId) : [];
  if (known.length >= MAX_PASSKEYS) {
    throw conflict(`An account has at most ${MAX_PASSKEYS} passkeys. Remove one first.`);
  }
  const userName = existing?.accountName ?? about.name;
  const { generateRegistrationOptions } = await webAuthn();
  const options = await generateRegistrationOptions({
    rpName: about.serviceName,
    rpID: about.place.domain,
    userID: Uint8Array.from(new TextEncoder().encode(accountId)),
    userName,
    userDisplayName: userName,
    timeout: CHALLENGE_MS,
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports })),
    // Nothing is typed at sign-in, so the passkey must say whose it is; and it is the only proof, so it must be locked.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  await accounts.issueChallenge(
    options.challenge,
    { purpose: existing ? 'add' : 'sign-up', accountId, name: about.name },
    now + CHALLENGE_MS,
  );
  return options;
}

/** What `navigator.credentials.get` needs. */
export async function signInOptions(place: SignInPlace, accounts: AccountStore, now: number) {
  const { generateAuthenticationOptions } = await webAuthn();
  const options = await generateAuthenticationOptions({
    rpID: place.domain,
    timeout: CHALLENGE_MS,
    userVerification: 'required',
  });
  const about: Challenge = { purpose: 'sign-in', accountId: '', name: '' };
  await accounts.issueChallenge(options.challenge, about, now + CHALLENGE_MS);
  return options;
}

/**
 * Checks the browser's answer to `passkeyOptions` and keeps the passkey: with a new account, or for the account
 * `signedInAs`. Gives the account's id. Throws 400 where the answer proves nothing.
 */
export async function addPasskey(
  answer: Record<string, unknown>,
  from: { place: SignInPlace; browser: string; signedInAs: string | null },
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
      expectedOrigin: from.place.origin,
      expectedRPID: from.place.domain,
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
  const kept =
    purpose === 'sign-up'
      ? await accounts.createWithPasskey(about.name, passkey)
      : await accounts.addPasskey(passkey);
  if (!kept) throw conflict('This passkey is known already. Sign in with it.');
  return about.accountId;
}

/** Checks the browser's answer to `signInOptions`. Gives the account's id; throws 400 or 401 otherwise. */
export async function signInWithPasskey(
  answer: Record<string, unknown>,
  place: SignInPlace,
  accounts: AccountStore,
  now: number,
): Promise<string> {
  const { challenge } = await answeredChallenge(answer, 'sign-in', accounts, now);
  const passkey = await accounts.findPasskey(String(answer.id));
  if (!passkey) {
    throw new ToolError(
      'invalid_key',
      'This passkey opens no account here: it may have been removed, or its account deleted.',
    );
  }
  const { verifyAuthenticationResponse } = await webAuthn();
  const { verified, authenticationInfo } = await proving(
    verifyAuthenticationResponse({
      response: answer as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: place.origin,
      expectedRPID: place.domain,
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

/** The challenge that an answer answers, taken out of the store before anything is checked: it counts once. */
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

/** The challenge inside `response.clientDataJSON` (WebAuthn §5.8.1), or null where there is none. */
function challengeIn(answer: Record<string, unknown>): string | null {
  try {
    const { clientDataJSON } = answer.response as { clientDataJSON: string };
    const { challenge } = JSON.parse(new TextDecoder().decode(fromBase64Url(clientDataJSON)));
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}

/** The library throws where an answer is malformed or proves something else. */
function proving<Result>(verification: Promise<Result>): Promise<Result> {
  return verification.catch(() => {
    throw unproven();
  });
}

const unproven = () => badRequest('The browser’s answer does not prove this passkey. Try again.');

const staleChallenge = () =>
  badRequest('This took too long, or was sent twice. Try again: the page asks anew.');
