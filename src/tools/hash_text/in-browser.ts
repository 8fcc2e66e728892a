/** Computes digests with Web Cryptography, except MD5, which @noble/hashes computes. */
import { md5 } from '@noble/hashes/legacy.js';
import { defineTool } from '../../core/define-tool.ts';
import { failed } from '../../core/errors.ts';
import { json } from '../../core/tool-output.ts';
import { hashText } from './hash_text.ts';

export const hashTextHere = defineTool({
  ...hashText,
  async run({ text, algorithm }) {
    const bytes = new TextEncoder().encode(text);
    const digest = algorithm === 'MD5' ? md5(bytes) : await sha(algorithm, bytes);
    return json({ [algorithm]: digest.toHex() });
  },
});

async function sha(algorithm: string, bytes: BufferSource): Promise<Uint8Array> {
  // `subtle` is undefined in insecure contexts, although its type does not say so.
  const { subtle } = crypto as Partial<Crypto>;
  if (subtle) return new Uint8Array(await subtle.digest(algorithm, bytes));
  throw failed('Browsers hash only in secure contexts. Open this page over HTTPS or on localhost.');
}
