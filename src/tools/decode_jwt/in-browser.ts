/**
 * Decodes a JWT in the browser, and verifies its signature if the visitor enters a key. Also accepts a token copied
 * with its header name, scheme or quotes.
 */
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';
import { json } from '../../core/tool-output.ts';
import { bareToken } from './bare-token.ts';
import { decodeJwt, KEY, UNVERIFIED } from './decode_jwt.ts';
import { verifySignature } from './verify-signature.ts';

export const decodeJwtHere = defineTool({
  ...decodeJwt,
  input: z.strictObject({ ...decodeJwt.input.shape, ...KEY.shape }),
  output: decodeJwt.output!.extend({
    signatureVerified: z.boolean(),
    signature: z
      .object({ outcome: z.enum(['valid', 'invalid', 'unknown']), message: z.string() })
      .optional(),
  }),
  resultView: () => import('./result-view.tsx'),
  async run({ token: given, key = '' }, context) {
    const token = bareToken(given);
    // The page shows numbers as they are written in the token.
    const silent = { ...context, warn: () => {} };
    const decoded = await decodeJwt.run!({ token }, silent, undefined);
    if (decoded.kind !== 'json' || key.trim() === '') return decoded;
    const { value } = decoded;
    const signature = await verifySignature(token, value.header as Record<string, unknown>, key);
    const signatureVerified = signature.outcome === 'valid';
    const note =
      signature.outcome === 'unknown'
        ? String(value.note)
        : String(value.note).replace(UNVERIFIED, '').trim();
    return json({ ...value, signatureVerified, note, signature });
  },
});
