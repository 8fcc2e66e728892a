/** generate_password in the browser: characters without bias from the cryptographic random numbers. */
import { codeBlock } from './site.js';

const KINDS = {
  lowercase: ['abcdefghijkmnpqrstuvwxyz', 'lo'],
  uppercase: ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'IO'],
  digits: ['23456789', '01'],
  symbols: ['!#%&*+-=?@_~', ''],
};

const form = document.getElementById('form');
const list = document.getElementById('passwords');
const strength = document.getElementById('strength');
const problem = document.getElementById('problem');
const field = (id) => document.getElementById(id);

function make() {
  const plain = !field('avoidLookalikes').checked;
  const kinds = Object.keys(KINDS)
    .filter((name) => field(name).checked)
    .map((name) => KINDS[name][0] + (plain ? KINDS[name][1] : ''));
  const length = Number(field('length').value);
  const count = Number(field('count').value);
  const wrong =
    kinds.length === 0
      ? 'Choose at least one kind of character.'
      : !(Number.isInteger(length) && length >= 4 && length <= 256)
        ? 'The length is a whole number from 4 to 256.'
        : !(Number.isInteger(count) && count >= 1 && count <= 100)
          ? 'How many is a whole number from 1 to 100.'
          : '';
  problem.textContent = wrong;
  problem.hidden = wrong === '';
  if (wrong) return;
  const alphabet = kinds.join('');
  const bits = Math.floor(length * Math.log2(alphabet.length));
  strength.textContent = `${bits} bits: ${bits < 60 ? 'weak' : bits < 80 ? 'fair' : bits < 128 ? 'strong' : 'very strong'}`;
  strength.className = bits < 60 ? 'chip bad' : bits < 80 ? 'chip' : 'chip good';
  list.replaceChildren(
    ...Array.from({ length: count }, () => item(password(alphabet, kinds, length))),
  );
}

function password(alphabet, kinds, length) {
  for (;;) {
    const text = Array.from({ length }, () => alphabet[below(alphabet.length)]).join('');
    if (kinds.every((kind) => [...kind].some((character) => text.includes(character)))) return text;
  }
}

/** A whole number from 0 to `bound` - 1, each as likely: bytes beyond the last whole multiple are thrown away. */
function below(bound) {
  const limit = 256 - (256 % bound);
  const byte = new Uint8Array(1);
  do crypto.getRandomValues(byte);
  while (byte[0] >= limit);
  return byte[0] % bound;
}

function item(text) {
  const row = document.createElement('li');
  row.append(codeBlock(text, 'this password'));
  return row;
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  make();
});
form.addEventListener('input', make);
make();
