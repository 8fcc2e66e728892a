/** encode_url: percent-encodes text as a URL component (ECMA-262 encodeURIComponent, RFC 3986 §2.1). */
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';
import { badRequest } from '../../core/errors.ts';
import { json } from '../../core/tool-output.ts';

export const encodeUrl = defineTool({
  name: 'encode_url',
  title: 'Encode URL',
  shortName: 'Encode URL',
  kind: 'code',
  icon: 'square-percent',
  domain: 'dev',
  description:
    "Percent-encodes text (UTF-8) for use in a URL component. Everything except A-Z a-z 0-9 - _ . ! ~ * ' ( ) is escaped, including : / ? # & =, so pass a single component, not a whole URL.",
  input: z.strictObject({
    url: z.string().describe('The text to encode.'),
  }),
  output: z.object({ encoded: z.string().describe('The encoded text.') }),
  example: { parameters: { url: 'café & crème?' } },
  form: {
    url: { label: 'Text', help: '', rows: 2, control: 'line' },
  },
  synonyms: ['percent encoding', 'escape', 'query string', 'urlencode'],
  access: 'anyone',
  limits: [],
  surfaces: ['rest', 'mcp', 'chain'],
  annotations: { readOnly: true, idempotent: true, openWorld: false, destructive: false },
  needs: [],
  async run({ url }, { beginLarge }) {
    if (!url.isWellFormed()) {
      throw badRequest(
        'The text has a lone surrogate, which cannot be encoded as UTF-8. Send whole characters.',
        'url',
      );
    }
    let encoded = '';
    let pausedAt = 0;
    for (let at = 0; at < url.length; ) {
      if (at - pausedAt >= BETWEEN_PAUSES) {
        await beginLarge();
        pausedAt = at;
      }
      const piece = pieceAt(url, at);
      encoded += encodeURIComponent(piece);
      at += piece.length;
    }
    return json({ encoded });
  },
});

/**
 * The number of characters that are encoded at once. encodeURIComponent needs several times the memory of its result.
 */
const PIECE = 32 * 1024;
/** The number of characters that are encoded between two pauses. Encoding them takes 20 ms. */
const BETWEEN_PAUSES = 512 * 1024;

/** Returns the piece of text that starts at `at`, without splitting a surrogate pair. The text must be well-formed. */
function pieceAt(text: string, at: number): string {
  const end = at + PIECE;
  const isSplit = (text.charCodeAt(end) & 0xfc00) === 0xdc00;
  return text.slice(at, isSplit ? end + 1 : end);
}
