/** hash_text in the browser: the digest of the text in UTF-8 by Web Cryptography, updated while typing. */
import { byId, showMessage } from './parts/elements.ts';

const text = byId<HTMLTextAreaElement>('text');
const algorithm = byId<HTMLSelectElement>('algorithm');

let latest = 0;

async function update(): Promise<void> {
  const mine = ++latest;
  const bytes = new TextEncoder().encode(text.value);
  const hash = new Uint8Array(await crypto.subtle.digest(algorithm.value, bytes));
  // The digest of a later keystroke may have finished first.
  if (mine !== latest) return;
  byId('digest').textContent = Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
}

// `subtle` is undefined in insecure contexts, although its type does not say so.
if ((globalThis.crypto as Partial<Crypto> | undefined)?.subtle) {
  text.addEventListener('input', update);
  algorithm.addEventListener('change', update);
  byId('form').addEventListener('submit', (event) => event.preventDefault());
  update();
} else {
  showMessage(
    byId('problem'),
    'Browsers offer hashing in secure contexts only. Open this page over HTTPS or at localhost.',
  );
}
