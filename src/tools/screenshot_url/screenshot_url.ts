/** screenshot_url: captures an image of a public page or prints the page, in a fresh browser context. */
import * as z from 'zod';
import type { Caller } from '../../core/caller.ts';
import { currentRequestId } from '../../core/current-request.ts';
import { defineTool } from '../../core/define-tool.ts';
import { badRequest, failed, switchedOff, ToolError } from '../../core/errors.ts';
import { MAX_IMAGE_PIXELS } from '../../core/limits.ts';
import type { Capture, CaptureOptions, Cut, StoragePort } from '../../core/ports.ts';
import { json } from '../../core/tool-output.ts';
import { fileExpiryText } from '../../lib/file-id.ts';
import { logCause } from '../../lib/log.ts';
import { measureImage } from '../../web/image-size.ts';
import { checkHost, parseWebUrl } from '../../web/public-url.ts';

const CACHE_SECONDS = 7 * 24 * 3600;
/** An image must be stored longer than the cached result that links to it. */
const LIFE_SECONDS = CACHE_SECONDS + 24 * 3600;
const MAX_SELECTOR = 1000;
const HEIGHT = 800;

/**
 * Defines an integer parameter. Out-of-range values are clamped, fractions are truncated, and other values become the
 * default.
 */
const clamped = (least: number, most: number, standard: number) =>
  z
    .number()
    .meta({ minimum: least, maximum: most, default: standard })
    .transform((value) => Math.min(Math.max(Math.trunc(value), least), most))
    .default(standard)
    .catch(standard);

const FORMATS = ['webp', 'png', 'jpeg'] as const;

interface CachedCapture {
  id: string;
  filename: string;
  width: number;
  height: number | null;
  format: string;
  bytes: number;
  cut?: Cut;
  cutPages?: number;
}

export const screenshotUrl = defineTool({
  name: 'screenshot_url',
  title: 'Screenshot a page',
  shortName: 'Take screenshot',
  kind: 'web',
  icon: 'camera',
  domain: 'web',
  description:
    'Captures a public http(s) page in a fresh browser without cookies and returns the URL of the image or PDF. Full pages ' +
    'are captured up to 12,000 px. A capture takes at most 50 seconds; identical requests are cached for 7 days.',
  input: z.strictObject({
    url: z.string().describe('A public http(s) page.'),
    width: clamped(200, 3840, 1280).describe('Viewport width in pixels.'),
    height: clamped(200, 4320, HEIGHT).describe('Viewport height; ignored with fullPage.'),
    fullPage: z
      .boolean()
      .default(false)
      .describe('Captures the whole page, up to 12,000 px, with lazy images loaded.'),
    format: z.enum(FORMATS).default('webp').catch('webp').describe('The image format.'),
    darkMode: z.boolean().default(false).describe('Renders with prefers-color-scheme: dark.'),
    delayMs: clamped(0, 5000, 0).describe('Extra wait after load, in milliseconds.'),
    selector: z
      .string()
      .min(1)
      .max(MAX_SELECTOR)
      .optional()
      .describe('CSS selector of an element to capture instead of the page.'),
    waitFor: z
      .string()
      .min(1)
      .max(MAX_SELECTOR)
      .optional()
      .describe('CSS selector to wait for, up to 30 seconds.'),
    hideSelectors: z
      .array(z.string().min(1).max(MAX_SELECTOR))
      .max(50)
      .optional()
      .describe('CSS selectors of elements to hide, such as banners.'),
    blockAds: z
      .boolean()
      .optional()
      .describe('Removes advertisements (EasyList) and cookie banners.'),
    scale: z
      .number()
      .meta({ minimum: 1, maximum: 3, default: 1 })
      .transform((value) => Math.min(Math.max(value, 1), 3))
      .default(1)
      .catch(1)
      .describe('Device pixels per CSS pixel.'),
    output: z.enum(['image', 'pdf']).default('image').describe('pdf: printed.'),
  }),
  output: z.object({
    url: z.string().describe('The URL of the image or PDF.'),
    screenshotUrl: z.string().describe('Deprecated alias of `url`.'),
    width: z.number().describe('In pixels.'),
    height: z.number().nullable().optional().describe('In pixels; null with fullPage or pdf.'),
    format: z.string().optional().describe('webp, png, jpeg or pdf.'),
    bytes: z.number().optional().describe('Size of the file.'),
    expiresAt: z.string().optional().describe('When the link expires.'),
    cached: z.boolean().describe('Whether the result comes from the cache.'),
    source: z
      .enum(['vps', 'fallback'])
      .describe('fallback: the image is from a thumbnail service; only its width is known.'),
  }),
  example: { parameters: { url: 'https://example.com/', width: 1280 } },
  form: {
    url: { label: 'Address of the page', help: '', control: 'address' },
    output: {
      label: 'Result',
      help: 'Format and sharpness apply to images only.',
      choices: { image: 'An image', pdf: 'A PDF of the page' },
    },
    format: {
      label: 'Save as',
      help: '',
      choices: { webp: 'WebP', png: 'PNG (lossless)', jpeg: 'JPEG' },
    },
    fullPage: { label: 'The whole page', help: 'From top to bottom, up to 12,000 pixels.' },
    blockAds: { label: 'Remove ads and cookie banners', help: '', initial: true },
    darkMode: { label: 'Dark mode', help: 'Applies if the page has a dark mode.' },
    width: { label: 'Width of the window', help: 'In pixels, 200 to 3840.', isAdvanced: true },
    height: {
      label: 'Height of the window',
      help: 'In pixels, 200 to 4320. It applies unless the whole page is captured.',
      isAdvanced: true,
    },
    scale: { label: 'Sharpness', help: '2 is as sharp as a phone’s screen.', isAdvanced: true },
    delayMs: {
      label: 'Wait after loading',
      help: 'In milliseconds, up to 5000.',
      isAdvanced: true,
    },
    selector: {
      label: 'Only this part',
      help: 'A CSS selector, such as #main.',
      isAdvanced: true,
    },
    waitFor: {
      label: 'Wait for this part',
      help: 'A CSS selector. Waits up to 30 seconds.',
      isAdvanced: true,
    },
    hideSelectors: {
      label: 'Hide these parts',
      help: 'One CSS selector per line.',
      isAdvanced: true,
    },
  },
  synonyms: [
    'capture',
    'picture of a page',
    'web page to pdf',
    'webpage to pdf',
    'website to pdf',
    'html to pdf',
    'url to pdf',
    'print',
  ],
  access: 'anyone',
  limits: [
    { calls: 10, per: 'minute', by: 'ip' },
    { calls: 100, per: 'day', by: 'ip' },
  ],
  surfaces: ['rest', 'mcp', 'chain'],
  annotations: { readOnly: true, idempotent: true, openWorld: true, destructive: false },
  needs: ['browser', 'results', 'storage'],
  check: ({ url, output, selector }) => {
    if (output === 'pdf' && selector !== undefined) {
      throw badRequest(
        'A single element cannot be saved as a PDF. Leave out selector or output.',
        'selector',
      );
    }
    const address = parseWebUrl(url, 'url');
    checkHost(address, 'url');
    return address;
  },
  checkWith: (_, { browser }) => {
    if (!browser.isOn) throw switchedOff('Screenshots are disabled on this service.');
  },
  async run(
    { url, output, ...given },
    { browser, results, storage, caller, signal, warn },
    address,
  ) {
    const options: CaptureOptions = {
      ...given,
      ...(output === 'pdf' && { output, fullPage: true, format: 'png', scale: 1 }),
      // The requested height is ignored, because it would change the layout of pages that use viewport units.
      height: given.fullPage || output === 'pdf' ? HEIGHT : given.height,
      hideSelectors: given.hideSelectors ?? [],
    };
    limitScale(options, warn);
    const draw = async (look: () => Promise<CachedCapture | null>): Promise<CachedCapture> => {
      const known: { value: CachedCapture | null } = { value: null };
      const isDrawn = async () => {
        known.value = await look();
        return known.value !== null;
      };
      const capture = await browser.capture(address, options, caller, signal, isDrawn);
      if (!capture) return known.value!;
      return storeCapture(capture, options, address, storage, caller);
    };
    const key = ['screenshot_url', url, Object.entries(options).sort()];
    try {
      const { value, cached } = await results.remember(key, CACHE_SECONDS, signal, draw);
      const { id, filename, cut, cutPages, ...facts } = value;
      if (cut) warn(cutWarning(cut, options));
      if (cutPages)
        warn(`output: the PDF contains only the first ${cutPages} pages. The page prints on more.`);
      const link = storage.linkTo(id, filename);
      const expiresAt = fileExpiryText(id);
      return json({ url: link, screenshotUrl: link, ...facts, expiresAt, cached, source: 'vps' });
    } catch (error) {
      const fallback =
        output === 'image' ? browser.fallbackFor(address.href, options.width) : undefined;
      // If the page itself caused the error, there is no fallback, because another service would fail too.
      const isOurs = !(error instanceof ToolError) || (error.status >= 500 && !error.param);
      if (!fallback || !isOurs || signal.aborted) throw named(error);
      // The caller gets an image, but the operator must see that our capture failed.
      logCause(currentRequestId() ?? '', error);
      return json({
        url: fallback,
        screenshotUrl: fallback,
        width: options.width,
        cached: false,
        source: 'fallback',
      });
    }
  },
});

/** Stores the captured PDF or image, and returns its properties. Throws 422 if the browser returned no image. */
async function storeCapture(
  { content, cut, cutPages }: Capture,
  { output, format, width, fullPage }: CaptureOptions,
  { hostname }: URL,
  storage: StoragePort,
  caller: Caller,
): Promise<CachedCapture> {
  const store = async (extension: string, contentType: string) => {
    const day = new Date().toISOString().slice(0, 10);
    const named = { filename: `${hostname}-${day}.${extension}`, contentType };
    const stored = await storage.store(content, { ...named, lifeSeconds: LIFE_SECONDS, caller });
    const { id, filename } = stored;
    return { id, filename, format: extension, bytes: content.byteLength };
  };
  if (output === 'pdf') {
    const stored = await store('pdf', 'application/pdf');
    return { ...stored, width, height: null, ...(cutPages && { cutPages }) };
  }
  const size = measureImage(content);
  if (!size?.width || !size.height) throw failed('The browser returned no image. Try again.');
  return {
    ...(await store(format, `image/${format}`)),
    width: size.width,
    height: fullPage ? null : size.height,
    ...(cut && { cut }),
  };
}

/** Lowers the scale until the image fits the limit. The scale of full pages stays, because those images are cut. */
function limitScale(options: CaptureOptions, warn: (message: string) => void): void {
  const { width, height, fullPage, scale } = options;
  const fitting = Math.sqrt(MAX_IMAGE_PIXELS / (width * height));
  if (fullPage || scale <= fitting) return;
  options.scale = Math.floor(fitting * 10) / 10;
  warn(`scale: lowered to ${options.scale}, so that the image stays below 100 megapixels.`);
}

/** Adds the parameter `url` to a ToolError that names no parameter, unless its status is 429 or 503. */
function named(error: unknown): unknown {
  if (
    !(error instanceof ToolError) ||
    error.param !== undefined ||
    [429, 503].includes(error.status)
  )
    return error;
  return error.naming('url');
}

function cutWarning({ drawn, whole }: Cut, { selector, scale }: CaptureOptions): string {
  const what = selector === undefined ? 'fullPage: the page' : 'selector: the element';
  const most = `the size limit of an image${scale > 1 ? ` at scale ${scale}; a smaller scale allows more` : ''}`;
  return `${what} is ${shown(whole)} px and was cut to ${shown(drawn)} by ${most}.`;
}

const shown = ({ width, height }: Cut['drawn']) => `${width} x ${height}`;
