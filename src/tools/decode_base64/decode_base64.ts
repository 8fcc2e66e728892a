/**
 * decode_base64: decodes standard Base64 (RFC 4648, section 4) to UTF-8 text. The result is verified by encoding it
 * again.
 */
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';
import { badRequest } from '../../core/errors.ts';
import { json } from '../../core/tool-output.ts';

/**
 * The number of characters per decoding step. Small steps limit the memory use. The number is a multiple of four,
 * because four characters of Base64 encode three bytes.
 */
const PIECE = 64 * 1024;

export const decodeBase64 = defineTool({
  name: 'decode_base64',
  title: 'Decode Base64',
  shortName: 'Decode Base64',
  kind: 'code',
  icon: 'package-open',
  domain: 'dev',
  description:
    'Decodes standard Base64 (A-Z a-z 0-9 + /) to UTF-8 text. Surrounding whitespace and missing padding are tolerated; the URL-safe alphabet, inner whitespace and bytes that are not UTF-8 are errors.',
  input: z.strictObject({
    encoded: z.string().describe('The Base64 to decode.'),
  }),
  output: z.object({ decoded: z.string().describe('The decoded text.') }),
  example: { parameters: { encoded: 'SGVsbG8sIHdvcmxkIQ==' } },
  form: {
    encoded: { label: 'Base64', help: '', rows: 5, takesFile: true },
  },
  synonyms: ['atob', 'b64', 'from base64', 'unreadable text'],
  access: 'anyone',
  limits: [],
  surfaces: ['rest', 'mcp', 'chain'],
  annotations: { readOnly: true, idempotent: true, openWorld: false, destructive: false },
  needs: [],
  run({ encoded }) {
    const digits = digitsOf(encoded.trim());
    // A byte order mark is part of the content and must survive the round trip.
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    let decoded = '';
    let isText = true;
    for (let at = 0; at < digits.length; at += PIECE) {
      const bytes = decode(digits, at);
      if (!isText) continue;
      try {
        decoded += decoder.decode(bytes, { stream: at + PIECE < digits.length });
      } catch {
        // The remaining Base64 is still decoded, because an error in it takes precedence over this one.
        isText = false;
      }
    }
    if (isText) return json({ decoded });
    throw badRequest(
      'The Base64 is well-formed, but its bytes are not UTF-8 text. Only text can be decoded.',
      'encoded',
    );
  },
});

/** Returns the Base64 text without its padding. Throws 400 if there is too much padding. Missing padding is allowed. */
function digitsOf(base64: string): string {
  let end = base64.length;
  while (end > 0 && base64.length - end < 3 && base64[end - 1] === '=') end--;
  const digits = base64.slice(0, end);
  const padding = base64.length - end;
  if (padding > (4 - (digits.length % 4)) % 4) {
    throw badRequest(findFault(digits, padding), 'encoded');
  }
  return digits;
}

/** Decodes the piece of Base64 that begins at `at`. Throws 400 if it is invalid. */
function decode(digits: string, at: number): Uint8Array {
  const piece = digits.slice(at, at + PIECE);
  try {
    const bytes = Uint8Array.fromBase64(piece);
    // The decoder ignores inner white space and stray bits after the last byte. This comparison detects them.
    if (bytes.toBase64({ omitPadding: true }) === piece) return bytes;
  } catch {
    // The text is not Base64. The error below explains why.
  }
  throw badRequest(findFault(digits, 0), 'encoded');
}

/** Returns the reason why the text is not valid Base64. Positions are counted from 1, after leading white space. */
function findFault(digits: string, padding: number): string {
  const at = digits.search(/[^A-Za-z0-9+/]/);
  const found = digits[at];
  if (found === '-' || found === '_') {
    return `"${found}" at character ${at + 1} belongs to the URL-safe alphabet. Standard Base64 has + instead of - and / instead of _; replace them.`;
  }
  if (found !== undefined) {
    return `${JSON.stringify(found)} at character ${at + 1} is not in the alphabet of standard Base64 (A-Z a-z 0-9 + /, = at the end). Remove it.`;
  }
  if (digits.length % 4 === 1) {
    return `The Base64 has ${digits.length} characters without padding, so its last group has a single character. Check for missing or extra characters.`;
  }
  if (padding > (4 - (digits.length % 4)) % 4) {
    return 'The Base64 has too much padding. Remove the extra "=".';
  }
  return `The last character "${digits.at(-1)}" has unused bits set, so the Base64 is truncated or damaged. Check that nothing is missing.`;
}
