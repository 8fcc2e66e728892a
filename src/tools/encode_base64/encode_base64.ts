/** encode_base64: encodes text as standard padded Base64 (RFC 4648 §4). */
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';
import { badRequest } from '../../core/errors.ts';
import { json } from '../../core/tool-output.ts';

const utf8 = new TextEncoder();

export const encodeBase64 = defineTool({
  name: 'encode_base64',
  title: 'Encode Base64',
  shortName: 'Encode Base64',
  kind: 'code',
  icon: 'package',
  domain: 'dev',
  description:
    'Encodes text (UTF-8) as standard padded Base64, alphabet A-Z a-z 0-9 + /. Not URL-safe.',
  input: z.strictObject({
    text: z.string().describe('The text to encode.'),
  }),
  output: z.object({ encoded: z.string().describe('The encoded text.') }),
  example: { parameters: { text: 'Hello, world!' } },
  form: {
    text: { help: '', rows: 6 },
  },
  synonyms: ['btoa', 'b64', 'to base64', 'data uri'],
  access: 'anyone',
  limits: [],
  surfaces: ['rest', 'mcp', 'chain'],
  annotations: { readOnly: true, idempotent: true, openWorld: false, destructive: false },
  needs: [],
  run({ text }) {
    if (!text.isWellFormed()) {
      throw badRequest(
        'The text has a lone surrogate, which cannot be encoded as UTF-8. Send whole characters.',
        'text',
      );
    }
    return json({ encoded: utf8.encode(text).toBase64() });
  },
});
