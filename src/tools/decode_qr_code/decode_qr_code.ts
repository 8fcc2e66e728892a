/**
 * decode_qr_code: a tool that is listed but cannot be called. Its page runs it in the browser, so the image is not
 * uploaded.
 */
import * as z from 'zod';
import { defineBrowserTool } from '../../core/define-browser-tool.ts';
import { MAX_FILE_BYTES } from '../../core/limits.ts';

export const decodeQrCode = defineBrowserTool({
  name: 'decode_qr_code',
  title: 'Decode a QR code',
  shortName: 'Decode QR code',
  kind: 'files',
  icon: 'scan-qr-code',
  description:
    'Reads the text of every QR code in an image. It runs in the browser; the image never leaves your machine.',
  input: z.strictObject({}),
  files: { min: 1, max: 1, maxBytes: MAX_FILE_BYTES, kinds: ['image'], uploadOnly: true },
  synonyms: ['scan', 'read barcode', 'webcam', 'qr reader'],
});
