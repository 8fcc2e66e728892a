/** Computes digests with Web Cryptography, except MD5, which @noble/hashes computes. */
import { md5 } from '@noble/hashes/legacy.js';
import { defineTool } from '../../core/define-tool.ts';
import { badRequest, failed } from '../../core/errors.ts';
import type { InputFile } from '../../core/input-file.ts';
import { json } from '../../core/tool-output.ts';
import { insecureText, lacksCryptography } from '../secure-context.ts';
import { hashText } from './hash_text.ts';

type Digests = Record<string, string>;

const SHA = ['SHA-256', 'SHA-384', 'SHA-512', 'SHA-1'];

export const hashTextHere = defineTool({
  ...hashText,
  async run({ text, compareWith }, { files: [file] }) {
    if (!file && text === '') throw badRequest('Enter text, or choose a file.', 'text');
    const digests = await (file ? digestsOfFile(file) : digestsOf(new TextEncoder().encode(text)));
    const of = file ? file.name : 'the text';
    return json({ of, digests, matches: matchesIn(digests, compareWith) });
  },
});

/** The digests of a large file are computed once, although the run is repeated for each expected digest. */
const known = new WeakMap<InputFile, Digests>();

async function digestsOfFile(file: InputFile): Promise<Digests> {
  const digests = known.get(file) ?? (await digestsOf(await file.bytes()));
  known.set(file, digests);
  return digests;
}

/** Returns the digests in hexadecimal, by algorithm. */
async function digestsOf(bytes: Uint8Array): Promise<Digests> {
  if (lacksCryptography()) throw failed(insecureText('hash'));
  const digests: Digests = {};
  for (const name of SHA)
    digests[name] = new Uint8Array(await crypto.subtle.digest(name, bytes as BufferSource)).toHex();
  return { ...digests, MD5: md5(bytes).toHex() };
}

/**
 * Returns the algorithms whose digest `expected` contains, or undefined if it is blank. Downloads are published with
 * lines such as `DIGEST  FILE` and `sha256:DIGEST`, and some programs group the digits.
 */
function matchesIn(digests: Digests, expected = ''): string[] | undefined {
  const digits = expected.toLowerCase().replace(/[\s:]/g, '');
  if (digits === '') return undefined;
  return Object.keys(digests).filter((name) => digits.includes(digests[name]!));
}
