/**
 * compress_image: converts, resizes or recompresses an image, applies its orientation and removes metadata, in the
 * media worker.
 */
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';
import { tooLarge } from '../../core/errors.ts';
import { MAX_FILE_BYTES, MAX_IMAGE_SIDE, MB, OUTPUT_LIFE_SECONDS } from '../../core/limits.ts';
import { file, json } from '../../core/tool-output.ts';
import { stemOf } from '../../lib/filename.ts';
import { imageKind } from '../../lib/image-kind.ts';
import { deleteToken } from '../delete-token.ts';

/**
 * If the input has at least this many bytes, the result is stored and the response contains a link (api.md,
 * compress_image).
 */
const STORED_FROM_BYTES = 5 * MB;

const EXTENSIONS = { webp: 'webp', jpeg: 'jpg', png: 'png', avif: 'avif' } as const;

const side = z.int().min(1).optional();

export const compressImage = defineTool({
  name: 'compress_image',
  title: 'Compress or convert an image',
  shortName: 'Compress image',
  kind: 'media',
  icon: 'image-down',
  domain: 'media',
  description:
    'Converts one image (JPEG, PNG, WebP, GIF, TIFF, AVIF, HEIC, SVG) to webp, jpeg, png or avif, optionally ' +
    'resized or converted to grayscale. Metadata is removed by default, EXIF orientation is applied, colors become sRGB; animations stay animated in webp.',
  input: z.strictObject({
    quality: z
      .number()
      .min(0.1)
      .max(1)
      .default(0.9)
      .describe('From 0.1 to 1; 1 is lossless in webp and avif.'),
    format: z
      .enum(['webp', 'jpeg', 'png', 'avif'])
      .default('webp')
      .catch('webp')
      .describe('Format of the result.'),
    keepFormat: z
      .boolean()
      .default(false)
      .describe("Keeps the input's format if it is one of these."),
    width: side.describe(
      'In pixels. If only width or height is set, the aspect ratio is preserved.',
    ),
    height: side.describe('In pixels. A value above the original height enlarges the image.'),
    keepAspectRatio: z
      .boolean()
      .default(false)
      .describe(
        'If width and height are set, true fits the whole image inside; false crops it at the center to fill them exactly.',
      ),
    grayscale: z.boolean().default(false).describe('Convert to grayscale.'),
    palette: z
      .boolean()
      .default(false)
      .describe('Reduces a png to at most 256 colors if that makes it smaller.'),
    metadata: z
      .enum(['strip', 'keep'])
      .default('strip')
      .describe('keep: preserves EXIF with the location, XMP and profile.'),
  }),
  output: z.object({
    url: z
      .string()
      .describe(
        'A 24-hour link to the result, if the input is 5 MB or more; otherwise the response is the image itself.',
      ),
    filename: z.string().describe('The name of the file.'),
    contentType: z.string().describe('The media type of the file.'),
    size: z.int().describe('Size of the result in bytes.'),
    expiresAt: z.string().describe('When the link expires.'),
    metadata: z
      .object({
        format: z.string().describe('webp, jpeg, png, avif or gif.'),
        width: z.int().describe('In pixels.'),
        height: z.int().describe('In pixels.'),
        frames: z.int().describe('Number of frames; more than 1 in an animation.'),
        inputBytes: z.int().describe('Size of the input in bytes.'),
      })
      .describe('Facts about the image.'),
    deleteToken,
  }),
  produces: ['image/webp', 'image/jpeg', 'image/png', 'image/avif'],
  jsonOrFile: `For inputs of ${STORED_FROM_BYTES / MB} MB or more, the response is JSON with a link to the image, regardless of \`Accept\`. For smaller inputs, the response is the image.`,
  files: { min: 1, max: 1, maxBytes: MAX_FILE_BYTES, kinds: ['image'] },
  example: {
    parameters: { quality: 0.8, format: 'webp', width: 1200 },
    files: ['photo.jpg'],
  },
  form: {
    format: {
      label: 'Save as',
      help: 'WebP is small and opens in every browser. AVIF is often smaller, but slower to encode.',
      choices: { webp: 'WebP', jpeg: 'JPEG', png: 'PNG (lossless)', avif: 'AVIF' },
    },
    keepFormat: {
      label: 'Keep the format of each image',
      help: 'An image in any other format is converted to the format above.',
    },
    quality: {
      initial: 0.8,
      help: '80 % looks like the original on most photos.',
      isPercent: true,
      control: 'image-quality',
    },
    width: {
      label: 'Width in pixels',
      help: 'Leave both empty to keep the size. Smaller images are enlarged.',
    },
    height: {
      label: 'Height in pixels',
      help: 'If you set only the width or the height, the other follows from the aspect ratio.',
    },
    keepAspectRatio: {
      label: 'Fit inside without cropping',
      help: 'Applies if width and height are both set. If off, the image is cropped to fill them.',
      initial: true,
      isAdvanced: true,
    },
    grayscale: { label: 'Black and white', help: '', isAdvanced: true },
    palette: {
      label: 'Fewer colors',
      help: 'Uses at most 256 colors, which makes a PNG much smaller.',
      isAdvanced: true,
    },
    metadata: {
      label: 'Camera data and location',
      help: '',
      choices: { strip: 'Remove them', keep: 'Keep them' },
      isAdvanced: true,
    },
  },
  synonyms: [
    'shrink photo',
    'smaller picture',
    'resize',
    'reduce',
    'webp',
    'avif',
    'heic',
    'gif',
    'tiff',
    'convert image',
    'thumbnail',
    'png jpg jpeg',
    'scale down',
    'file size',
    'optimise',
    'optimize',
    'upright',
    'remove exif',
    'remove gps location',
  ],
  access: 'anyone',
  limits: [{ calls: 30, per: 'hour', by: 'ip' }],
  surfaces: ['rest', 'mcp', 'chain'],
  annotations: { readOnly: true, idempotent: true, openWorld: false, destructive: false },
  needs: ['media', 'storage'],
  check: ({ width = 0, height = 0, keepAspectRatio }) => {
    // A bounding box may exceed the limit, because the image that fits into the box may still be within the limit.
    const isBox = keepAspectRatio && width > 0 && height > 0;
    if (isBox || Math.max(width, height) <= MAX_IMAGE_SIDE) return;
    throw tooLarge(
      `The limit is ${MAX_IMAGE_SIDE} pixels per side. Request a smaller size.`,
      width > MAX_IMAGE_SIDE ? 'width' : 'height',
    );
  },
  async run({ keepFormat, ...given }, { files, media, storage, caller, signal, warn }) {
    const input = files[0]!;
    const format = (keepFormat && outputFormatOf(input.head)) || given.format;
    const result = await media.run('compress_image', { ...given, format }, files, signal);
    const { warnings, size, ...metadata } = result.meta as {
      warnings: string[];
      size: number;
      format: string;
      width: number;
      height: number;
      frames: number;
    };
    for (const warning of warnings) warn(warning);
    const filename = `${stemOf(input.name)}.${EXTENSIONS[format]}`;
    const { body, contentType } = result;
    if (input.size < STORED_FROM_BYTES) {
      const headers = { 'X-Input-Bytes': String(input.size), 'X-Output-Bytes': String(size) };
      const { width, height } = metadata;
      return file(body, contentType, filename, { size, headers, facts: { width, height } });
    }
    const stored = await storage.store(
      { stream: body, size },
      { filename, contentType, lifeSeconds: OUTPUT_LIFE_SECONDS, caller },
    );
    const { id, ...link } = stored;
    // The size in pixels stays in `metadata`, because top-level fields would fill parameters of the next step in a
    // chain.
    const value = { ...link, metadata: { ...metadata, inputBytes: input.size } };
    return json(value, { stored: id });
  },
});

/** Returns the format of the image if it is one of the result's formats. */
function outputFormatOf(head: Uint8Array): keyof typeof EXTENSIONS | undefined {
  const kind = imageKind(head);
  return kind && kind in EXTENSIONS ? (kind as keyof typeof EXTENSIONS) : undefined;
}
