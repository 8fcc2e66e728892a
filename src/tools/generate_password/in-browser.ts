/** Generates passwords from cryptographic random numbers, with all characters equally likely. */
import { defineTool } from '../../core/define-tool.ts';
import { badRequest } from '../../core/errors.ts';
import { json } from '../../core/tool-output.ts';
import { generatePassword } from './generate_password.ts';

const KINDS = {
  lowercase: { clear: 'abcdefghijkmnpqrstuvwxyz', lookalikes: 'lo' },
  uppercase: { clear: 'ABCDEFGHJKLMNPQRSTUVWXYZ', lookalikes: 'IO' },
  digits: { clear: '23456789', lookalikes: '01' },
  symbols: { clear: '!#%&*+-=?@_~', lookalikes: '' },
};
type Kind = keyof typeof KINDS;

export const generatePasswordHere = defineTool({
  ...generatePassword,
  run({ length, count, avoidLookalikes, ...chosen }) {
    const kinds = (Object.keys(KINDS) as Kind[])
      .filter((kind) => chosen[kind])
      .map((kind) => KINDS[kind].clear + (avoidLookalikes ? '' : KINDS[kind].lookalikes));
    if (kinds.length === 0) throw badRequest('Choose at least one kind of character.', 'lowercase');
    const alphabet = kinds.join('');
    const passwords = Array.from({ length: count }, () => password(alphabet, kinds, length));
    return json({ bits: Math.floor(length * Math.log2(alphabet.length)), passwords });
  },
});

/** Returns a password with at least one character of each kind. */
function password(alphabet: string, kinds: readonly string[], length: number): string {
  for (;;) {
    const text = Array.from({ length }, () => alphabet[randomBelow(alphabet.length)]).join('');
    if (kinds.every((kind) => [...kind].some((character) => text.includes(character)))) return text;
  }
}

/**
 * Returns a uniformly distributed integer from 0 to `bound` - 1. Skips bytes that are not below the largest multiple of
 * `bound`, because they would favor low numbers.
 */
function randomBelow(bound: number): number {
  const limit = 256 - (256 % bound);
  for (;;) {
    const [byte] = crypto.getRandomValues(new Uint8Array(1));
    if (byte! < limit) return byte! % bound;
  }
}
