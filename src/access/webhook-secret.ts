/** Derives the secret that signs the webhooks of an API key (ADR 73). */
import { sha256 } from '../lib/sha256.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;

/**
 * Returns `whsec_` followed by Base64. The secret is derived from the key, so it can be obtained only from the key or
 * from the database.
 */
export async function webhookSecret(key: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const hash = bytesOf(await sha256(key));
  const secret = await crypto.subtle.importKey('raw', hash, algorithm, false, ['sign']);
  const bytes = await crypto.subtle.sign(algorithm, secret, bytesOf('webhooks'));
  return `whsec_${new Uint8Array(bytes).toBase64()}`;
}
