/** decode_qr_code: listed, not executable; its page does it in the browser, so that what it works on stays there. */
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';
import { MAX_FILE_BYTES } from '../../core/limits.ts';

export const decodeQrCode = defineTool({
  name: 'decode_qr_code',
  title: 'Decode a QR code',
  shortName: 'Decode QR code',
  kind: 'browser',
  icon: 'M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4M8 8h3v3H8zM13 13h3v3h-3z',
  domain: null,
  description:
    'Reads the text of a QR code in a picture. It runs in the browser, on its own page; the picture never leaves your machine.',
  input: z.strictObject({}),
  files: { min: 1, max: 1, maxBytes: MAX_FILE_BYTES, kinds: ['image'], uploadOnly: true },
  access: 'anyone',
  limits: [],
  doors: [],
  annotations: { readOnly: true, idempotent: true, openWorld: false, destructive: false },
  needs: [],
});
