/** Decodes Base64 in the browser. Also accepts line breaks, the URL-safe alphabet and data URIs. */
import { defineTool } from '../../core/define-tool.ts';
import { badRequest, ToolError } from '../../core/errors.ts';
import { decodeBase64 } from './decode_base64.ts';

/** Matches the beginning of a JSON Web Token, whose first part is a JSON object. */
const JWT = /^eyJ[\w+/]*\.[\w+/]*\./;

export const decodeBase64Here = defineTool({
  ...decodeBase64,
  async run({ encoded }, context) {
    const standard = encoded
      .trimStart()
      .replace(/^data:[^,]*;base64,/i, '')
      .replace(/\s/g, '')
      .replaceAll('-', '+')
      .replaceAll('_', '/');
    if (JWT.test(standard))
      throw badRequest('This looks like a JSON Web Token. Use Decode JWT.', 'encoded');
    try {
      return await decodeBase64.run!({ encoded: standard }, context, undefined);
    } catch (error) {
      if (!(error instanceof ToolError) || standard === encoded.trim()) throw error;
      // The position in the message refers to the normalized text, so it is removed.
      throw badRequest(error.message.replace(/ at character \d+/, ''), 'encoded');
    }
  },
});
