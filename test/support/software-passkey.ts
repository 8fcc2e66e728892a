/** Implements a passkey without a browser. It signs challenges like an authenticator (WebAuthn, section 7.2). */
import { fromBase64Url, toBase64Url } from '../../src/access/accounts/base64url.ts';
import type { Passkey } from '../../src/core/account-store.ts';

const ES256 = { name: 'ECDSA', namedCurve: 'P-256' };
/** The flags `user present` and `user verified`. */
const FLAGS = 0x05;

const utf8 = (text: string) => Uint8Array.from(new TextEncoder().encode(text));
const sha256 = async (bytes: Uint8Array<ArrayBuffer>) =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));

export interface SoftwarePasskey {
  stored: Omit<Passkey, 'lastUsedAt'>;
  /** Returns the response to the sign-in options, in the format that the page's script posts. */
  prove(options: { challenge: string; rpId?: string }, origin: string): Promise<unknown>;
}

export async function softwarePasskey(id: string, accountId: string): Promise<SoftwarePasskey> {
  const pair = (await crypto.subtle.generateKey(ES256, true, ['sign', 'verify'])) as CryptoKeyPair;
  const { x, y } = (await crypto.subtle.exportKey('jwk', pair.publicKey)) as JsonWebKey;
  // The key is in COSE format (RFC 9053, section 7.1): type EC2, algorithm ES256, curve P-256, and both coordinates.
  const publicKey = Uint8Array.from([
    ...[0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01],
    ...[0x21, 0x58, 0x20, ...fromBase64Url(x!)],
    ...[0x22, 0x58, 0x20, ...fromBase64Url(y!)],
  ]);
  return {
    stored: {
      id,
      accountId,
      name: 'software',
      publicKey: toBase64Url(publicKey),
      counter: 0,
      transports: ['internal'],
      createdAt: 0,
    },
    async prove({ challenge, rpId = '' }, origin) {
      const client = utf8(JSON.stringify({ type: 'webauthn.get', challenge, origin }));
      const authenticator = Uint8Array.from([...(await sha256(utf8(rpId))), FLAGS, 0, 0, 0, 0]);
      const signed = Uint8Array.from([...authenticator, ...(await sha256(client))]);
      const raw = await crypto.subtle.sign({ ...ES256, hash: 'SHA-256' }, pair.privateKey, signed);
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: toBase64Url(client),
          authenticatorData: toBase64Url(authenticator),
          signature: toBase64Url(derOf(new Uint8Array(raw))),
        },
      };
    },
  };
}

/** Converts a P-256 signature from `r` and `s`, 32 bytes each, to DER: a SEQUENCE of two INTEGERs. */
function derOf(raw: Uint8Array): Uint8Array<ArrayBuffer> {
  const integer = (bytes: Uint8Array) => {
    const trimmed = [...bytes.subarray(bytes.findIndex((byte) => byte !== 0))];
    const value = trimmed[0]! >= 0x80 ? [0, ...trimmed] : trimmed;
    return [0x02, value.length, ...value];
  };
  const both = [...integer(raw.subarray(0, 32)), ...integer(raw.subarray(32))];
  return Uint8Array.from([0x30, both.length, ...both]);
}
