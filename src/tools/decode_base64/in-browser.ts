/**
 * Decodes Base64 in the browser. Also accepts line breaks, the URL-safe alphabet and data URIs, and returns images as
 * data URIs.
 */
import { defineTool } from '../../core/define-tool.ts';
import { badRequest, ToolError } from '../../core/errors.ts';
import { HEAD_BYTES } from '../../core/input-file.ts';
import { type JsonOutput, json } from '../../core/tool-output.ts';
import { imageKind } from '../../lib/image-kind.ts';
import { isPdf } from '../../lib/magic-bytes.ts';
import { decodeBase64 } from './decode_base64.ts';

/** Matches the beginning of a JSON Web Token, whose first part is a JSON object. */
const JWT = /^eyJ[\w+/]*\.[\w+/]*\./;

/** The image formats that all browsers display. An SVG is text, so it is returned as text. */
const SHOWN = ['png', 'jpeg', 'gif', 'webp', 'avif'];

export const decodeBase64Here = defineTool({
  ...decodeBase64,
  resultView: () => import('./result-view.tsx'),
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
      const bytes = bytesIn(standard);
      if (bytes) return imageIn(bytes);
      if (!(error instanceof ToolError) || standard === encoded.trim()) throw error;
      // The position in the message refers to the normalized text, so it is removed.
      throw badRequest(error.message.replace(/ at character \d+/, ''), 'encoded');
    }
  },
});

/** Returns the bytes of well-formed Base64, whose padding may be missing. Returns undefined for any other text. */
function bytesIn(base64: string): Uint8Array | undefined {
  try {
    const padded = base64.padEnd(Math.ceil(base64.length / 4) * 4, '=');
    return Uint8Array.fromBase64(padded, { lastChunkHandling: 'strict' });
  } catch {
    return undefined;
  }
}

/** Returns the image as a data URI. Throws 400 if the bytes are not an image that all browsers display. */
function imageIn(bytes: Uint8Array): JsonOutput {
  const head = bytes.subarray(0, HEAD_BYTES);
  const format = imageKind(head);
  if (format && SHOWN.includes(format)) {
    const dataUrl = `data:image/${format};base64,${bytes.toBase64()}`;
    return json({ dataUrl, format, size: bytes.length });
  }
  throw badRequest(
    `The Base64 contains ${isPdf(head) ? 'a PDF' : 'binary data'}. Only text and PNG, JPEG, GIF, WebP and AVIF images are shown.`,
    'encoded',
  );
}
