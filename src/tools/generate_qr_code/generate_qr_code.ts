/** generate_qr_code: encodes text as a QR code of level M. The PNG or SVG has exactly the requested size. */
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';
import { badRequest } from '../../core/errors.ts';
import { json } from '../../core/tool-output.ts';

/** The number of modules per side in version 1. */
const MIN_SIZE = 21;
const MAX_SIZE = 4096;
const DEFAULT_SIZE = 300;
/** The limits of a small call. A larger call can take more than about 20 ms. */
const FEW_BYTES = 100;
const SMALL_SIZE = 1024;
/** The capacity of the numeric mode, which is the largest of all modes. */
const MAX_DIGITS = 5596;

const utf8 = new TextEncoder();

// Out-of-range sizes are refused below, where the number of modules is known.
const toSize = (given: unknown) =>
  typeof given === 'number' ? Math.min(Math.trunc(given), Number.MAX_SAFE_INTEGER) : DEFAULT_SIZE;

export const generateQrCode = defineTool({
  name: 'generate_qr_code',
  title: 'Generate QR code',
  shortName: 'Generate QR code',
  kind: 'files',
  icon: 'qr-code',
  domain: 'media',
  description:
    'Generates a QR code (level M) from up to 2,331 bytes of UTF-8 text (or 5,596 digits), as a PNG or SVG of exactly size × size pixels. It cannot decode QR codes.',
  input: z.strictObject({
    text: z.string().describe('The exact payload.'),
    size: z
      .preprocess(
        toSize,
        z.number().meta({ minimum: MIN_SIZE, maximum: MAX_SIZE }).default(DEFAULT_SIZE),
      )
      .describe(
        'Width and height in pixels; at least one pixel per module (177 for the longest text).',
      ),
    errorCorrection: z
      .preprocess(() => 'M', z.enum(['L', 'M', 'Q', 'H']).default('M'))
      .describe('Ignored: level M is always used.'),
    format: z.enum(['png', 'svg']).default('png').describe('The image.'),
  }),
  output: z.object({
    dataUrl: z.string().describe('data:image/png;base64,… or data:image/svg+xml;base64,…'),
    text: z.string().describe('The encoded text.'),
    size: z.int().describe('Width and height in pixels.'),
    svg: z.string().optional().describe('The SVG markup; only with format svg.'),
  }),
  resultView: () => import('./result-view.tsx'),
  example: { parameters: { text: 'https://example.com/', size: 400 } },
  form: {
    text: {
      label: 'Text or link',
      help: 'Shift+Enter starts a new line.',
      rows: 2,
      control: 'line',
    },
    size: { label: 'Size in pixels', help: 'Width and height, from 21 to 4096.' },
    format: {
      label: 'Save as',
      help: '',
      choices: { png: 'PNG', svg: 'SVG, for print' },
      inChain: {
        label: 'Format of the image data',
        help: 'The result contains the image as text (a data URL). Tools that take files cannot use it.',
        choices: { png: 'PNG as a data URL', svg: 'SVG as a data URL' },
      },
    },
    errorCorrection: { isHidden: true },
  },
  synonyms: ['qr', 'qrcode', 'barcode', 'wifi code', 'link to code', 'svg'],
  access: 'anyone',
  limits: [],
  surfaces: ['rest', 'mcp', 'chain'],
  annotations: { readOnly: true, idempotent: true, openWorld: false, destructive: false },
  needs: [],
  check: ({ text, size }) => {
    if (text.length > MAX_DIGITS) {
      throw badRequest(
        `The text has more than ${MAX_DIGITS} characters, which is more than a QR code of level M can hold. Shorten it, or encode a link to it.`,
        'text',
      );
    }
    if (size > MAX_SIZE) {
      throw badRequest(`The size is ${size} pixels, but the limit is ${MAX_SIZE}.`, 'size');
    }
    if (!text.isWellFormed()) {
      throw badRequest(
        'The text has a lone surrogate, which cannot be encoded as UTF-8. Send whole characters.',
        'text',
      );
    }
    if (text === '') {
      throw badRequest('The text is empty. Enter the text to encode.', 'text');
    }
  },
  async run({ text, size, format }, { warn, beginLarge }) {
    const bytes = utf8.encode(text);
    const { capacityFor, drawPng, drawSvg, encodeQr, QUIET_ZONE } = await import('./qr.ts');
    const { most } = capacityFor(bytes);
    if (bytes.length > most) {
      throw badRequest(
        `The text has ${bytes.length} bytes in UTF-8, but a QR code of level M holds at most ${most}. Shorten it, or encode a link.`,
        'text',
      );
    }
    if (bytes.length > FEW_BYTES || size > SMALL_SIZE) await beginLarge();
    const code = encodeQr(bytes);
    const modules = code.modules;
    if (size < modules) {
      throw badRequest(
        `This text needs ${modules} × ${modules} modules, so the size must be at least ${modules} pixels, not ${size}. Use a larger size or a shorter text.`,
        'size',
      );
    }
    if (format === 'svg') {
      const svg = drawSvg(code, size);
      const dataUrl = `data:image/svg+xml;base64,${utf8.encode(svg).toBase64()}`;
      return json({ dataUrl, text, size, svg });
    }
    const comfortable = modules + 2 * QUIET_ZONE;
    if (size < comfortable) {
      warn(
        `"size" is too small for the four-module quiet zone that scanners need. Use at least ${comfortable} pixels.`,
      );
    }
    const png = await drawPng(code, size);
    return json({ dataUrl: `data:image/png;base64,${png.toBase64()}`, text, size });
  },
});
