/** Computes digests and HMACs with Web Cryptography, except MD5, which @noble/hashes computes. */
import { md5 } from '@noble/hashes/legacy.js';
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';
import { badRequest, failed } from '../../core/errors.ts';
import type { InputFile } from '../../core/input-file.ts';
import { json } from '../../core/tool-output.ts';
import { insecureText, lacksCryptography } from '../secure-context.ts';
import { hashText, KEY } from './hash_text.ts';

type Digests = Record<string, string>;

const SHA = ['SHA-256', 'SHA-384', 'SHA-512', 'SHA-1'];

export const hashTextHere = defineTool({
  ...hashText,
  input: z.strictObject({ ...hashText.input.shape, ...KEY.shape }),
  async run({ text, key = '', compareWith }, { files: [file] }) {
    if (!file && text === '') throw badRequest('Enter text, or choose a file.', 'text');
    const digests = await (file
      ? digestsOfFile(file, key)
      : digestsOf(new TextEncoder().encode(text), key));
    const of = file ? file.name : 'the text';
    return json({ of, isHmac: key !== '', digests, matches: matchesIn(digests, compareWith) });
  },
});

/** The digests of a large file are computed once, although the run is repeated for each expected digest. */
const known = new WeakMap<InputFile, { key: string; digests: Digests }>();

async function digestsOfFile(file: InputFile, key: string): Promise<Digests> {
  const last = known.get(file);
  if (last?.key === key) return last.digests;
  const digests = await digestsOf(await file.bytes(), key);
  known.set(file, { key, digests });
  return digests;
}

/** Returns the digests in hexadecimal, by algorithm, or the HMACs if there is a key. */
async function digestsOf(bytes: Uint8Array, key: string): Promise<Digests> {
  if (lacksCryptography()) throw failed(insecureText('hash'));
  const digests: Digests = {};
  for (const name of SHA) {
    const digest =
      key === '' ? crypto.subtle.digest(name, bytes as BufferSource) : hmac(name, key, bytes);
    digests[name] = new Uint8Array(await digest).toHex();
  }
  return key === '' ? { ...digests, MD5: md5(bytes).toHex() } : digests;
}

/** Returns the HMAC of the bytes (RFC 2104). */
async function hmac(hash: string, key: string, bytes: Uint8Array): Promise<ArrayBuffer> {
  const algorithm = { name: 'HMAC', hash };
  const secret = new TextEncoder().encode(key);
  const imported = await crypto.subtle.importKey('raw', secret, algorithm, false, ['sign']);
  return crypto.subtle.sign('HMAC', imported, bytes as BufferSource);
}

/**
 * Returns the algorithms whose digest `expected` contains, in hexadecimal or in Base64, or undefined if `expected` is
 * blank. Downloads are published with lines such as `DIGEST FILE`, `sha256:DIGEST` and `sha256-BASE64`, and some
 * programs group the digits.
 */
function matchesIn(digests: Digests, expected = ''): string[] | undefined {
  const digits = expected.toLowerCase().replace(/[\s:]/g, '');
  if (digits === '') return undefined;
  const isIn = (digest: string) =>
    digits.includes(digest) || expected.includes(Uint8Array.fromHex(digest).toBase64());
  return Object.keys(digests).filter((name) => isIn(digests[name]!));
}
