/** Generates IDs from cryptographic random numbers. */
import { defineTool } from '../../core/define-tool.ts';
import { json } from '../../core/tool-output.ts';
import { generateUuid } from './generate_uuid.ts';

export const generateUuidHere = defineTool({
  ...generateUuid,
  run({ kind, count }) {
    const now = Date.now();
    const ids = Array.from({ length: count }, () => MAKERS[kind](now));
    // The IDs are sorted, because IDs from the same millisecond differ only in their random part.
    return json({ text: (kind === 'uuid-v4' ? ids : ids.sort()).join('\n') });
  },
});

const MAKERS = {
  'uuid-v4': () => uuid(randomBytes(16), 4),
  'uuid-v7': (now: number) => uuid(withTime(randomBytes(16), now), 7),
  ulid: (now: number) => base32(withTime(randomBytes(16), now)),
};

const randomBytes = (length: number) => crypto.getRandomValues(new Uint8Array(length));

/** Writes the milliseconds since 1970 to the first 48 bits. */
function withTime(bytes: Uint8Array, now: number): Uint8Array {
  for (let at = 5, rest = now; at >= 0; at--, rest = Math.floor(rest / 256)) bytes[at] = rest % 256;
  return bytes;
}

/** Returns a UUID in the format of RFC 9562, section 4, with its version and variant. */
function uuid(bytes: Uint8Array, version: number): string {
  bytes[6] = (version << 4) | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  return bytes.toHex().replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Encodes 128 bits as 26 characters, with the highest bits first. */
function base32(bytes: Uint8Array): string {
  let rest = BigInt(`0x${bytes.toHex()}`);
  let text = '';
  for (let digit = 0; digit < 26; digit++, rest >>= 5n) text = CROCKFORD[Number(rest & 31n)] + text;
  return text;
}
