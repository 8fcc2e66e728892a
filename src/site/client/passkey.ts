/** Passkeys: a form with data-passkey gets options, asks the authenticator, and sends the credential. */
import { byId, find } from './parts/elements.ts';
import { errorText } from './parts/error-text.ts';

/** The options of both ceremonies as JSON, in which bytes are base64url (WebAuthn §5.1.8 and §5.1.9). */
type CredentialOptions = Partial<PublicKeyCredentialCreationOptionsJSON> &
  PublicKeyCredentialRequestOptionsJSON;

type Ceremony = 'create' | 'get';

const problem = byId('problem');

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey]')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    run(form);
  });
}

async function run(form: HTMLFormElement): Promise<void> {
  const button = find<HTMLButtonElement>(form, 'button');
  button.disabled = true;
  problem.hidden = true;
  try {
    if (!('PublicKeyCredential' in globalThis))
      throw new Error('This browser does not support passkeys.');
    const path = new URL(form.action).pathname;
    const fields = Object.fromEntries(new FormData(form));
    const options = await post<CredentialOptions>(`${path}/options`, fields);
    const credential = await callAuthenticator(form.dataset.passkey as Ceremony, options);
    const { goTo } = await post<{ goTo: string }>(path, asJson(credential));
    location.assign(goTo);
  } catch (error) {
    problem.textContent = explain(error);
    problem.hidden = false;
    problem.scrollIntoView({ block: 'nearest' });
  } finally {
    button.disabled = false;
  }
}

async function post<T>(path: string, body: unknown): Promise<T> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

/** Converts the options by hand: parseCreationOptionsFromJSON is missing in older browsers. */
async function callAuthenticator(
  ceremony: Ceremony,
  options: CredentialOptions,
): Promise<PublicKeyCredential> {
  const { challenge, user, excludeCredentials, ...others } = options;
  const publicKey = {
    ...others,
    challenge: bytes(challenge),
    ...(user && { user: { ...user, id: bytes(user.id) } }),
    ...(excludeCredentials && {
      excludeCredentials: excludeCredentials.map((known) => ({ ...known, id: bytes(known.id) })),
    }),
  } as PublicKeyCredentialCreationOptions & PublicKeyCredentialRequestOptions;
  return (await navigator.credentials[ceremony]({ publicKey })) as PublicKeyCredential;
}

function asJson({ id, rawId, type, response, authenticatorAttachment }: PublicKeyCredential) {
  const { clientDataJSON } = response;
  return {
    id,
    rawId: base64url(rawId),
    type,
    response: { clientDataJSON: base64url(clientDataJSON), ...answerOf(response) },
    authenticatorAttachment,
    clientExtensionResults: {},
  };
}

function answerOf(response: AuthenticatorResponse) {
  if ('attestationObject' in response) {
    const attestation = response as AuthenticatorAttestationResponse;
    return {
      attestationObject: base64url(attestation.attestationObject),
      transports: attestation.getTransports?.() ?? [],
    };
  }
  const { authenticatorData, signature, userHandle } = response as AuthenticatorAssertionResponse;
  return {
    authenticatorData: base64url(authenticatorData),
    signature: base64url(signature),
    ...(userHandle && { userHandle: base64url(userHandle) }),
  };
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function base64url(buffer: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/, '');
}

function explain(error: unknown): string {
  switch (error instanceof Error && error.name) {
    case 'NotAllowedError':
      return 'No passkey was used. The request was cancelled, timed out, or this device has no passkey for this site.';
    case 'InvalidStateError':
      return 'This device already has a passkey for this account.';
    default:
      return errorText(error);
  }
}
