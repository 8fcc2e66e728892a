/** Passkeys in the browser: the forms with data-passkey ask for options, ask the authenticator, and send its answer. */
const problem = document.getElementById('problem');

for (const form of document.querySelectorAll('form[data-passkey]')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    run(form);
  });
}

async function run(form) {
  const button = form.querySelector('button');
  button.disabled = true;
  problem.hidden = true;
  try {
    if (!globalThis.PublicKeyCredential) throw new Error('This browser has no passkeys.');
    const path = new URL(form.action).pathname;
    const options = await post(`${path}/options`, Object.fromEntries(new FormData(form)));
    const credential = await askAuthenticator(form.dataset.passkey, options);
    const { goTo } = await post(path, asJson(credential));
    location.assign(goTo);
  } catch (error) {
    problem.textContent = explain(error);
    problem.hidden = false;
    problem.scrollIntoView({ block: 'nearest' });
  } finally {
    button.disabled = false;
  }
}

async function post(path, body) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

/** What JSON writes in base64url, the browser wants as bytes (WebAuthn §5.1.8 and §5.1.9 do it in new browsers only). */
function askAuthenticator(kind, options) {
  const publicKey = { ...options, challenge: bytes(options.challenge) };
  if (options.user) publicKey.user = { ...options.user, id: bytes(options.user.id) };
  if (options.excludeCredentials) {
    publicKey.excludeCredentials = options.excludeCredentials.map((known) => ({
      ...known,
      id: bytes(known.id),
    }));
  }
  return navigator.credentials[kind]({ publicKey });
}

function asJson({ id, rawId, type, response, authenticatorAttachment }) {
  const answer = { clientDataJSON: text(response.clientDataJSON) };
  if (response.attestationObject) {
    answer.attestationObject = text(response.attestationObject);
    answer.transports = response.getTransports?.() ?? [];
  } else {
    answer.authenticatorData = text(response.authenticatorData);
    answer.signature = text(response.signature);
    if (response.userHandle) answer.userHandle = text(response.userHandle);
  }
  return {
    id,
    rawId: text(rawId),
    type,
    response: answer,
    authenticatorAttachment,
    clientExtensionResults: {},
  };
}

function bytes(base64url) {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function text(buffer) {
  return btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/, '');
}

function explain(error) {
  switch (error.name) {
    case 'NotAllowedError':
      return 'No passkey was used: it was cancelled, took too long, or there is none for this site here.';
    case 'InvalidStateError':
      return 'This device has a passkey for this account already.';
    default:
      return error.message;
  }
}
