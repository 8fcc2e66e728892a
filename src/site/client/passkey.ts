/**
 * Runs passkey ceremonies. For a form with data-passkey, it requests the options, calls the authenticator and sends the
 * credential.
 */
import { postJson } from './parts/api.ts';
import { byId, find } from './parts/elements.ts';
import { errorText } from './parts/error-text.ts';

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
    if (!globalThis.PublicKeyCredential?.parseCreationOptionsFromJSON)
      throw new Error(
        'This browser is too old for passkeys. Update it, or use a different browser.',
      );
    const path = new URL(form.action).pathname;
    const fields = Object.fromEntries(new FormData(form));
    const options = await postJson<never>(`${path}/options`, fields);
    const credential = await CEREMONIES[form.dataset.passkey as keyof typeof CEREMONIES](options);
    const { goTo } = await postJson<{ goTo: string }>(path, credential);
    location.assign(goTo);
  } catch (error) {
    problem.textContent = explain(error);
    problem.hidden = false;
    problem.scrollIntoView({ block: 'nearest' });
  } finally {
    button.disabled = false;
  }
}

/** The options and the credential are JSON with bytes encoded as base64url (WebAuthn §5.1.8 and §5.1.9). */
const CEREMONIES = {
  create: (options: PublicKeyCredentialCreationOptionsJSON) =>
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
    }),
  get: (options: PublicKeyCredentialRequestOptionsJSON) =>
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
    }),
};

function explain(error: unknown): string {
  switch (error instanceof Error && error.name) {
    case 'NotAllowedError':
      return 'No passkey was used. The request was cancelled or timed out, or this device has no passkey for this site.';
    case 'InvalidStateError':
      return 'This device already has a passkey for this account.';
    default:
      return errorText(error);
  }
}
