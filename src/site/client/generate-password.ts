/** generate_password in the browser: unbiased characters from cryptographic random numbers. */
import { codeBlock } from './parts/code-block.ts';
import { byId, make, showMessage } from './parts/elements.ts';

const KINDS = {
  lowercase: { clear: 'abcdefghijkmnpqrstuvwxyz', lookalikes: 'lo' },
  uppercase: { clear: 'ABCDEFGHJKLMNPQRSTUVWXYZ', lookalikes: 'IO' },
  digits: { clear: '23456789', lookalikes: '01' },
  symbols: { clear: '!#%&*+-=?@_~', lookalikes: '' },
};

const form = byId('form');
const strength = byId('strength');
const isChecked = (id: string) => byId<HTMLInputElement>(id).checked;
const numberIn = (id: string) => Number(byId<HTMLInputElement>(id).value);

function generate(): void {
  const allowsLookalikes = !isChecked('avoidLookalikes');
  const kinds = Object.entries(KINDS)
    .filter(([name]) => isChecked(name))
    .map(([, { clear, lookalikes }]) => (allowsLookalikes ? clear + lookalikes : clear));
  const length = numberIn('length');
  const count = numberIn('count');
  const problem = problemWith(kinds, length, count);
  showMessage(byId('problem'), problem);
  if (problem) return;
  const alphabet = kinds.join('');
  const bits = Math.floor(length * Math.log2(alphabet.length));
  strength.textContent = `${bits} bits: ${bits < 60 ? 'weak' : bits < 80 ? 'fair' : bits < 128 ? 'strong' : 'very strong'}`;
  strength.className = bits < 60 ? 'chip bad' : bits < 80 ? 'chip' : 'chip good';
  const passwords = Array.from({ length: count }, () => password(alphabet, kinds, length));
  byId('passwords').replaceChildren(
    ...passwords.map((text) => make('li', {}, codeBlock(text, 'this password'))),
  );
}

/** Returns what is wrong with the options; empty if nothing is. */
function problemWith(kinds: readonly string[], length: number, count: number): string {
  if (kinds.length === 0) return 'Choose at least one kind of character.';
  if (!(Number.isInteger(length) && length >= 4 && length <= 256))
    return 'The length must be a whole number from 4 to 256.';
  if (!(Number.isInteger(count) && count >= 1 && count <= 100))
    return 'The number of passwords must be a whole number from 1 to 100.';
  return '';
}

/** A password with at least one character of each kind. */
function password(alphabet: string, kinds: readonly string[], length: number): string {
  for (;;) {
    const text = Array.from({ length }, () => alphabet[randomBelow(alphabet.length)]).join('');
    if (kinds.every((kind) => [...kind].some((character) => text.includes(character)))) return text;
  }
}

/** A uniform whole number from 0 to `bound` - 1. Bytes beyond the last multiple of `bound` would favour low numbers. */
function randomBelow(bound: number): number {
  const limit = 256 - (256 % bound);
  for (;;) {
    const [byte] = crypto.getRandomValues(new Uint8Array(1));
    if (byte! < limit) return byte! % bound;
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  generate();
});
form.addEventListener('input', generate);
generate();
