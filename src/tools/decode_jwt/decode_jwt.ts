/** decode_jwt: decodes a JSON Web Token (RFC 7519) in compact form (RFC 7515, section 7.1) without verifying it. */
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';
import { badRequest, tooLarge } from '../../core/errors.ts';
import { json } from '../../core/tool-output.ts';
import { tooManyValues } from '../../lib/body.ts';
import { jsonExcess, MAX_JSON_FIELDS, MAX_JSON_VALUES } from '../../lib/json-bounds.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

// The maximum nesting depth. A limit is needed, because serializing a result is recursive. Real claims are not deeply
// nested, but hostile ones may be.
const MAX_DEPTH = 500;

/** A time above this value (in the year 5138) was probably meant to be in milliseconds. */
const MAX_SECONDS = 1e11;

/**
 * Matches a signature by its alphabet. Any other fault is only noted in the result, because the signature in examples
 * is often a placeholder.
 */
const ALPHABET = /^[\w-]+$/;

export const UNVERIFIED = 'The signature was not verified: anyone could have created this token.';

/** The key with which the page verifies the signature. */
export const KEY = z.strictObject({
  key: z.string().optional().describe('A secret, or a public key in PEM or as a JWK.'),
});

export const decodeJwt = defineTool({
  name: 'decode_jwt',
  title: 'Decode JWT',
  shortName: 'Decode JWT',
  kind: 'code',
  icon: 'key-round',
  domain: 'dev',
  description:
    'Decodes the header and payload of a JSON Web Token and its expiry. The signature is never verified: do not trust the content. Pass the bare token, without "Bearer ".',
  input: z.strictObject({
    token: z.string().describe('Three base64url segments separated by dots.'),
  }),
  pageInput: KEY,
  output: z.object({
    header: z.record(z.string(), z.unknown()).describe('The decoded header.'),
    payload: z.record(z.string(), z.unknown()).describe('The decoded claims.'),
    signatureVerified: z
      .literal(false)
      .describe('Always false. The tool has no key for verification.'),
    note: z.string().describe('A warning that the signature was not verified.'),
    expiresAt: z.string().nullable().describe('ISO 8601, from the exp claim.'),
    isExpired: z.boolean().nullable().describe('Null if there is no exp claim.'),
  }),
  resultView: () => import('./result-view.tsx'),
  example: {
    parameters: {
      token:
        'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NSIsIm5hbWUiOiJBZGEiLCJleHAiOjE4OTM0NTYwMDB9.c2lnbmF0dXJl',
    },
  },
  form: {
    token: {
      help: 'A token has three parts, separated by dots.',
      placeholder: 'Paste a token: eyJ…',
      rows: 5,
      control: 'line',
    },
    key: {
      label: 'Secret or public key',
      help: 'Verifies the signature. A secret, a PEM public key or certificate, a JWK or a JWK set. It stays in your browser.',
      placeholder: 'Paste a secret, a JWK, or -----BEGIN PUBLIC KEY-----',
      rows: 2,
    },
  },
  isSecret: true,
  synonyms: ['token', 'bearer', 'claims', 'expiry', 'login', 'verify signature'],
  access: 'anyone',
  limits: [],
  surfaces: ['rest', 'mcp', 'chain'],
  annotations: { readOnly: true, idempotent: true, openWorld: false, destructive: false },
  needs: [],
  run({ token: given }, { warn }) {
    const token = given.trim();
    if (/^bearer\s/i.test(token)) {
      throw badRequest(
        'The token starts with "Bearer ", which belongs to the Authorization header. Send only the token.',
        'token',
      );
    }
    const segments = token.split('.', 4);
    const [first, second, third] = segments;
    if (segments.length !== 3 || first === undefined || second === undefined) {
      const count = segments.length > 3 ? 'more than three segments' : `only ${segments.length}`;
      throw badRequest(
        `A JWT has three segments separated by dots (header.payload.signature), but this one has ${count}.${segments.length > 3 ? ' Encrypted tokens (JWE) have five and cannot be decoded without their key.' : ''}`,
        'token',
      );
    }
    const header = decodeObject(first, 'header', warn);
    const payload = decodeObject(second, 'payload', warn);
    if (third && !ALPHABET.test(third)) throw notBase64Url('signature');
    const { expiresAt, isExpired, remark } = readExpiry(payload);
    const { nbf } = payload;
    const notes = [
      third
        ? UNVERIFIED
        : 'This token is unsecured: its third segment is empty, so it has no signature and anyone could have created it.',
      third && isNone(header.alg) ? 'The header has alg "none", but there is a signature.' : '',
      !third && !isNone(header.alg)
        ? 'The header of an unsecured token should have alg "none".'
        : '',
      third && !bytesOf(third) ? 'The last segment of the token is not a valid signature.' : '',
      remark,
      typeof nbf === 'number' && nbf * 1000 > Date.now() ? 'The token is not valid yet.' : '',
    ];
    return json({
      header,
      payload,
      signatureVerified: false,
      note: notes.filter(Boolean).join(' '),
      expiresAt,
      isExpired,
    });
  },
});

const isNone = (algorithm: unknown) => algorithm === 'none';

/**
 * Reads `exp`, which is a NumericDate: seconds since 1970, possibly with a fraction (RFC 7519, sections 2 and 4.1.4).
 */
function readExpiry(payload: Record<string, unknown>) {
  if (!Object.hasOwn(payload, 'exp')) return { expiresAt: null, isExpired: null, remark: '' };
  const exp = payload.exp;
  if (typeof exp !== 'number' || !Number.isFinite(exp)) {
    return {
      expiresAt: null,
      isExpired: null,
      remark: 'The exp claim is not a number of seconds, so no expiry could be read.',
    };
  }
  const isExpired = Date.now() >= exp * 1000;
  const date = new Date(exp * 1000);
  if (Number.isNaN(date.getTime())) {
    return {
      expiresAt: null,
      isExpired,
      remark: 'The exp claim is outside the range of dates.',
    };
  }
  const remark = exp > MAX_SECONDS ? 'The exp claim looks like milliseconds. Use seconds.' : '';
  return { expiresAt: date.toISOString(), isExpired, remark };
}

function decodeObject(
  segment: string,
  name: string,
  warn: (message: string) => void,
): Record<string, unknown> {
  let text: string;
  try {
    text = utf8.decode(decodeSegment(segment, name));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw badRequest(`The ${name} is not UTF-8 text. Check that the token is a JWT.`, 'token');
  }
  const excess = jsonExcess(text, MAX_DEPTH, MAX_JSON_VALUES, MAX_JSON_FIELDS);
  if (excess === 'depth') {
    throw badRequest(`The ${name} is nested deeper than ${MAX_DEPTH} levels.`, 'token');
  }
  if (excess === 'fields') {
    throw tooLarge(`The ${name} has an object with more than ${MAX_JSON_FIELDS} fields.`, 'token');
  }
  if (excess) throw tooManyValues(`The ${name}`, 'token');
  let value: unknown;
  let isRounded = false;
  try {
    value = JSON.parse(text, (_key, part: unknown) => {
      isRounded ||= typeof part === 'number' && Math.abs(part) > Number.MAX_SAFE_INTEGER;
      return part;
    });
  } catch (error) {
    throw badRequest(`The ${name} is not JSON: ${(error as Error).message}.`, 'token');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badRequest(
      `The ${name} is JSON, but not an object. Check that the token is a JWT.`,
      'token',
    );
  }
  if (isRounded)
    warn(`A number in the ${name} is beyond ±${Number.MAX_SAFE_INTEGER} and may be rounded here.`);
  return value as Record<string, unknown>;
}

function decodeSegment(segment: string, name: string): Uint8Array {
  const bytes = bytesOf(segment);
  if (!bytes) throw notBase64Url(name);
  return bytes;
}

/** Decodes base64url without padding (RFC 7515, section 2). The result is verified by encoding it again. */
function bytesOf(segment: string): Uint8Array | undefined {
  try {
    const bytes = Uint8Array.fromBase64(segment, { alphabet: 'base64url' });
    return bytes.toBase64({ alphabet: 'base64url', omitPadding: true }) === segment
      ? bytes
      : undefined;
  } catch {
    return undefined;
  }
}

const notBase64Url = (name: string) =>
  badRequest(
    `The ${name} is not base64url (A-Z a-z 0-9 - _, without padding). Check that the token was copied whole.`,
    'token',
  );
