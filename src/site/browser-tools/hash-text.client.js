/** hash_text in the browser: Web Cryptography's digest of the text in UTF-8, shown as one types. */
const text = document.getElementById('text');
const algorithm = document.getElementById('algorithm');
const digest = document.getElementById('digest');
const problem = document.getElementById('problem');

let latest = 0;

async function update() {
  const mine = ++latest;
  const bytes = new TextEncoder().encode(text.value);
  const hash = await crypto.subtle.digest(algorithm.value, bytes);
  // A later keystroke may have finished first.
  if (mine !== latest) return;
  digest.textContent = Array.from(new Uint8Array(hash), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

if (globalThis.crypto?.subtle) {
  text.addEventListener('input', update);
  algorithm.addEventListener('change', update);
  document.getElementById('form').addEventListener('submit', (event) => event.preventDefault());
  update();
} else {
  problem.hidden = false;
  problem.textContent =
    'Browsers offer hashing in secure contexts only: open this page over https, or at localhost.';
}
