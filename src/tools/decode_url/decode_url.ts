/** decode_url: decodes percent-encoded text (ECMA-262's decodeURIComponent). A plus sign does not become a space. */
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';
import { badRequest } from '../../core/errors.ts';
import { json } from '../../core/tool-output.ts';

export const decodeUrl = defineTool({
  name: 'decode_url',
  title: 'Decode URL',
  shortName: 'Decode URL',
  kind: 'code',
  icon: 'whole-word',
  domain: 'dev',
  description:
    'Decodes percent-escapes (%XX, UTF-8) back to text. "+" stays a literal plus. A malformed or truncated escape is an error.',
  input: z.strictObject({
    encoded: z.string().describe('The percent-encoded text.'),
  }),
  output: z.object({ decoded: z.string().describe('The decoded text.') }),
  example: { parameters: { encoded: 'caf%C3%A9%20%26%20cr%C3%A8me' } },
  form: {
    encoded: { label: 'Encoded text', help: '', rows: 5 },
  },
  synonyms: ['unescape', 'percent encoding', 'urldecode', '%20'],
  access: 'anyone',
  limits: [],
  surfaces: ['rest', 'mcp', 'chain'],
  annotations: { readOnly: true, idempotent: true, openWorld: false, destructive: false },
  needs: [],
  run({ encoded }) {
    try {
      return json({ decoded: decodeURIComponent(encoded) });
    } catch {
      throw badRequest(findFault(encoded), 'encoded');
    }
  },
});

/** Returns the reason why decodeURIComponent rejects the text. Positions count UTF-16 units from 1. */
function findFault(encoded: string): string {
  const at = encoded.search(/%(?![0-9A-Fa-f]{2})/);
  if (at === -1) {
    return 'The escapes decode to bytes that are not UTF-8. Escape the UTF-8 bytes of each character, such as %C3%BC for ü.';
  }
  const shown = JSON.stringify(encoded.slice(at, at + 3));
  return `The escape ${shown} at character ${at + 1} is malformed: % must be followed by two hexadecimal digits. Write a literal percent sign as %25.`;
}
