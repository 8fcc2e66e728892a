/** Computes digests with Web Cryptography, except MD5, which @noble/hashes computes. */
import { md5 } from '@noble/hashes/legacy.js';
import { defineTool } from '../../core/define-tool.ts';
import { failed } from '../../core/errors.ts';
import { json } from '../../core/tool-output.ts';
import { hashText } from './hash_text.ts';

const SHA = ['SHA-256', 'SHA-384', 'SHA-512', 'SHA-1'];

export const hashTextHere = defineTool({
  ...hashText,
  async run({ text, compareWith }) {
    const digests = await digestsOf(new TextEncoder().encode(text));
    return json({ digests, matches: matchesIn(digests, compareWith) });
  },
});

/** Returns the digests in hexadecimal, by algorithm. */
async function digestsOf(bytes: Uint8Array & BufferSource): Promise<Record<string, string>> {
  // `subtle` is undefined in insecure contexts, although its type does not say so.
  const { subtle } = crypto as Partial<Crypto>;
  if (!subtle)
    throw failed(
      'Browsers hash only in secure contexts. Open this page over HTTPS or on localhost.',
    );
  const digests: Record<string, string> = {};
  for (const name of SHA) digests[name] = new Uint8Array(await subtle.digest(name, bytes)).toHex();
  return { ...digests, MD5: md5(bytes).toHex() };
}

/**
 * Returns the algorithms whose digest `expected` contains, or undefined if it is blank. Downloads are published with
 * lines such as `DIGEST  FILE` and `sha256:DIGEST`, and some programs group the digits.
 */
function matchesIn(digests: Record<string, string>, expected = ''): string[] | undefined {
  const digits = expected.toLowerCase().replace(/[\s:]/g, '');
  if (digits === '') return undefined;
  return Object.keys(digests).filter((name) => digits.includes(digests[name]!));
}
