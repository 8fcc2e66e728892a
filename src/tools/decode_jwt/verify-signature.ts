/**
 * Verifies the signature of a token in the browser, with jose and Web Cryptography. The algorithm in the token's header
 * must match the type of the key: a public key is never used as the secret of an HMAC algorithm (RFC 8725, section
 * 2.1).
 */
import {
  type CryptoKey,
  compactVerify,
  errors,
  importJWK,
  importSPKI,
  importX509,
  type JWK,
} from 'jose';
import { insecureText, lacksCryptography } from '../secure-context.ts';

export interface SignatureCheck {
  /** The outcome is `unknown` if the signature could not be checked. */
  outcome: 'valid' | 'invalid' | 'unknown';
  /** Explains the outcome to the visitor. */
  message: string;
}

type Key = CryptoKey | Uint8Array;

const HMAC = /^HS(256|384|512)$/;
const PUBLIC_KEY = /^((RS|PS|ES)(256|384|512)|EdDSA|Ed25519)$/;

/** Thrown with a message for the visitor if no key suits the token. */
class NoKey extends Error {}

/**
 * Checks the signature of a token in compact form.
 *
 * @param entered a secret, a public key or certificate in PEM, a JWK, or a set of JWKs
 */
export async function verifySignature(
  token: string,
  header: Record<string, unknown>,
  entered: string,
): Promise<SignatureCheck> {
  try {
    if (lacksCryptography()) throw new NoKey(insecureText('verify signatures'));
    for (const { key, name, kid } of await keysFor(header, entered.trim()))
      if (await isSignedBy(token, key))
        return { outcome: 'valid', message: validMessage(name, kid, header.kid) };
    return { outcome: 'invalid', message: 'The signature does not match the token and the key.' };
  } catch (error) {
    return { outcome: 'unknown', message: messageOf(error) };
  }
}

/** Also warns if the token names a different key than the one that verified it. */
function validMessage(name: string, kid: unknown, expected: unknown): string {
  const isOther = kid !== undefined && expected !== undefined && kid !== expected;
  const warning = `But the token names the key ${String(expected)}, so many libraries would reject it.`;
  return `The signature is valid for ${name}.${isOther ? ` ${warning}` : ''}`;
}

function messageOf(error: unknown): string {
  if (error instanceof NoKey) return error.message;
  if (error instanceof errors.JOSEError) return `The signature was not checked: ${error.message}.`;
  return 'The signature was not checked, because the key is damaged or does not suit the algorithm of the token.';
}

async function isSignedBy(token: string, key: Key): Promise<boolean> {
  try {
    await compactVerify(token, key);
    return true;
  } catch (error) {
    if (error instanceof errors.JWSSignatureVerificationFailed) return false;
    throw error;
  }
}

interface NamedKey {
  key: Key;
  name: string;
  /** The key ID of a JWK. */
  kid?: unknown;
}

/** Returns the keys to try. Throws NoKey. */
async function keysFor(header: Record<string, unknown>, entered: string): Promise<NamedKey[]> {
  const { alg } = header;
  if (typeof alg !== 'string' || alg === 'none') throw new NoKey('The token has no signature.');
  const isHmac = HMAC.test(alg);
  if (!isHmac && !PUBLIC_KEY.test(alg))
    throw new NoKey(`The algorithm ${alg} cannot be verified here.`);
  const jwks = jwksIn(entered);
  if (jwks) return keysOfSet(jwks, alg, header.kid);
  const isPem = entered.includes('-----BEGIN ');
  if (isHmac && isPem) throw new NoKey(`The algorithm ${alg} needs a secret, not a key in PEM.`);
  if (isHmac) return secrets(entered);
  if (!isPem)
    throw new NoKey(`The algorithm ${alg} needs a public key in PEM or as a JWK, not a secret.`);
  if (entered.includes('PRIVATE KEY'))
    throw new NoKey('This is a private key. Enter the public key that belongs to it.');
  if (entered.includes('BEGIN RSA PUBLIC KEY'))
    throw new NoKey(
      'This key is in the older PKCS #1 format. Convert it: openssl rsa -RSAPublicKey_in -in key.pem -pubout',
    );
  const read = entered.includes('BEGIN CERTIFICATE') ? importX509 : importSPKI;
  return [{ key: await read(entered, alg), name: 'this public key' }];
}

/** Returns the UTF-8 bytes of a secret and, if the secret is Base64, also the decoded bytes. */
function secrets(entered: string): NamedKey[] {
  const bytes = new TextEncoder().encode(entered);
  const decoded = decodedSecret(entered);
  return [
    { key: bytes, name: 'this secret' },
    ...(decoded ? [{ key: decoded, name: 'this secret, decoded from Base64' }] : []),
  ];
}

function decodedSecret(entered: string): Uint8Array | undefined {
  try {
    const alphabet = /[-_]/.test(entered) ? 'base64url' : 'base64';
    const bytes = Uint8Array.fromBase64(entered, { alphabet });
    return bytes.length > 0 ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the JWKs in JSON text, or undefined if the text does not begin with `{`. Throws NoKey for malformed JSON. */
function jwksIn(entered: string): JWK[] | undefined {
  if (!entered.startsWith('{')) return undefined;
  try {
    const value = JSON.parse(entered) as JWK & { keys?: unknown };
    return Array.isArray(value.keys) ? (value.keys as JWK[]) : [value];
  } catch {
    throw new NoKey('The key begins like a JWK, but is not valid JSON.');
  }
}

/** Returns the keys of a set that suit the algorithm. If some of them have the token's key ID, returns only those. */
async function keysOfSet(jwks: readonly JWK[], alg: string, kid: unknown): Promise<NamedKey[]> {
  const kind = HMAC.test(alg)
    ? 'oct'
    : /^[RP]S/.test(alg)
      ? 'RSA'
      : alg.startsWith('ES')
        ? 'EC'
        : 'OKP';
  const suitable = jwks.filter((jwk) => jwk?.kty === kind && (jwk.alg ?? alg) === alg);
  const named = suitable.filter((jwk) => kid !== undefined && jwk.kid === kid);
  const tried = named.length > 0 ? named : suitable;
  if (tried.length === 0) throw new NoKey(`The input has no key for the algorithm ${alg}.`);
  return Promise.all(
    tried.map(async ({ d: _, key_ops: __, use: ___, ...jwk }) => ({
      key: (await importJWK(jwk as JWK, alg)) as Key,
      name: typeof jwk.kid === 'string' ? `the key ${jwk.kid}` : 'this key',
      kid: jwk.kid,
    })),
  );
}
