/** generate_qr_code: text as a QR code of level M, a PNG of exactly the size that was asked for. */
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';
import { badRequest } from '../../core/errors.ts';
import { json } from '../../core/tool-output.ts';

/** Modules a side of version 1. */
const MIN_SIZE = 21;
const MAX_SIZE = 4096;
const DEFAULT_SIZE = 300;

const utf8 = new TextEncoder();

// Too small and too large are refused below, once the number of modules is known.
const toSize = (given: unknown) =>
  typeof given === 'number' ? Math.min(Math.trunc(given), Number.MAX_SAFE_INTEGER) : DEFAULT_SIZE;

export const generateQrCode = defineTool({
  name: 'generate_qr_code',
  title: 'Generate QR code',
  shortName: 'Generate QR code',
  kind: 'media',
  icon: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2M20 14v6h-6',
  domain: 'media',
  description:
    'Makes a QR code (level M) of text up to 2,331 bytes of UTF-8 (or 5,596 digits), as a PNG data URI of exactly size × size pixels. Nothing is stored. It cannot decode QR codes.',
  input: z.strictObject({
    text: z.string().describe('The exact payload.'),
    size: z
      .preprocess(
        toSize,
        z.number().meta({ minimum: MIN_SIZE, maximum: MAX_SIZE }).default(DEFAULT_SIZE),
      )
      .describe('Width and height in pixels; at least one pixel a module (177 for the longest).'),
    errorCorrection: z
      .preprocess(() => 'M', z.enum(['L', 'M', 'Q', 'H']).default('M'))
      .describe('Ignored: level M is always used.'),
  }),
  output: z.object({
    dataUrl: z.string().describe('data:image/png;base64,…'),
    text: z.string(),
    size: z.int(),
  }),
  resultView: () => import('./result-view.tsx'),
  example: { parameters: { text: 'https://example.com/', size: 400 } },
  form: { text: { rows: 6 } },
  access: 'anyone',
  limits: [],
  doors: ['rest', 'mcp', 'chain'],
  annotations: { readOnly: true, idempotent: true, openWorld: false, destructive: false },
  needs: [],
  check: ({ text, size }) => {
    if (size > MAX_SIZE) {
      throw badRequest(`The size is at most ${MAX_SIZE} pixels, and this is ${size}.`, 'size');
    }
    if (!text.isWellFormed()) {
      throw badRequest(
        'The text has a lone surrogate, which has no UTF-8 form. Send whole characters.',
        'text',
      );
    }
    if (text === '') {
      throw badRequest('The text is empty; a QR code needs something to say.', 'text');
    }
  },
  async run({ text, size }, { warn }) {
    const bytes = utf8.encode(text);
    const { capacityFor, drawPng, encodeQr, QUIET_ZONE } = await import('./qr.ts');
    const { most } = capacityFor(bytes);
    if (bytes.length > most) {
      throw badRequest(
        `The text has ${bytes.length} bytes in UTF-8; a QR code of level M holds at most ${most} of this kind. Shorten it, or encode a link to it.`,
        'text',
      );
    }
    const code = encodeQr(bytes);
    const modules = code.modules;
    if (size < modules) {
      throw badRequest(
        `This text takes ${modules} × ${modules} modules, so the size must be at least ${modules} pixels, and this is ${size}. Give a larger size or a shorter text.`,
        'size',
      );
    }
    const comfortable = modules + 2 * QUIET_ZONE;
    if (size < comfortable) {
      warn(
        `size: ${size} pixels leave less than the four modules of white around the code that readers want; ${comfortable} would do.`,
      );
    }
    const png = await drawPng(code, size);
    return json({ dataUrl: `data:image/png;base64,${png.toBase64()}`, text, size });
  },
});
