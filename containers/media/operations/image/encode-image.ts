/** Encodes an image with settings derived from a quality between 0.1 and 1. */
import type { OutputInfo, Sharp } from 'sharp';
import { isDrawing, type PixelShares } from './drawn-image.ts';
import { optimizedPng } from './optimize-png.ts';

export const OUTPUT_FORMATS = ['webp', 'jpeg', 'png', 'avif'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

export interface Encoding {
  format: OutputFormat;
  /** The quality, from 0.1 to 1. At 1, the result is lossless if the format supports that. */
  quality: number;
  /** Whether to reduce a PNG to at most 256 colors, which is lossy. */
  palette: boolean;
}

/** The properties of an image that determine the encoder's mode (ADR 68). */
export interface ImageTraits {
  shares: PixelShares;
  /** Whether the image comes from a lossless format. */
  isExact: boolean;
  /** Whether the colors are stored at half resolution, as in most JPEG files. */
  hasHalfColors: boolean;
  /** Whether the image is so large that the slow modes would exceed the time limit. */
  isLarge: boolean;
}

export interface Encoded {
  data: Buffer;
  info: OutputInfo;
}

/** Whether the encoder's mode depends on the pixels. */
export const dependsOnPixels = (
  { format, quality }: Encoding,
  { isExact, hasHalfColors }: Pick<ImageTraits, 'isExact' | 'hasHalfColors'>,
): boolean =>
  quality < 1 && ((format === 'avif' && !hasHalfColors) || (format === 'webp' && isExact));

export async function encode(
  pipeline: Sharp,
  { format, quality, palette }: Encoding,
  traits: ImageTraits,
): Promise<Encoded> {
  const lossless = quality === 1;
  const percent = lossless ? 100 : Math.min(99, Math.round(quality * 100));
  switch (format) {
    case 'webp':
      if (lossless) return encoded(pipeline.webp({ lossless }));
      return webp(pipeline, percent, traits);
    case 'jpeg':
      return encoded(
        pipeline.flatten({ background: '#fff' }).jpeg({
          mozjpeg: true,
          quality: percent,
          chromaSubsampling: lossless ? '4:4:4' : '4:2:0',
        }),
      );
    case 'png':
      return palette
        ? fewColors(pipeline, percent, traits)
        : optimized(await encoded(pipeline.png()));
    case 'avif':
      return encoded(pipeline.avif(avifOptions(lossless, percent, traits)));
  }
}

const encoded = (pipeline: Sharp): Promise<Encoded> =>
  pipeline.toBuffer({ resolveWithObject: true });

/**
 * The minimum share of edges among the changed pixels of a drawing for which lossless WebP is tried. Drawings with
 * gradients have fewer, and lossy WebP makes them smaller.
 */
const MIN_EDGES = 0.35;
/** The maximum share of pixels that differ from their left neighbor in a drawing without photos. */
const FEW_CHANGES = 0.1;
/**
 * The maximum number of bits per changed pixel that lossless WebP needs for antialiased text and lines. Photos need
 * more. A changed pixel differs from its left neighbor.
 */
const MAX_BITS_PER_CHANGE = 9.5;
/** The minimum quality in percent at which a small lossless result is returned without comparing it to a lossy one. */
const HIGH_QUALITY = 80;

/**
 * The lowest effort that uses all transforms, and the lowest quality that uses libwebp's second-largest search window.
 */
const LOSSLESS = { lossless: true, quality: 51, effort: 1 };

/** Drawings with sharp edges from lossless formats are also encoded as lossless WebP, which is often smaller. */
async function webp(pipeline: Sharp, quality: number, traits: ImageTraits): Promise<Encoded> {
  const lossy = () => encoded(pipeline.webp({ quality, effort: 4 }));
  if (!traits.isExact || !hasSharpEdges(traits.shares)) return lossy();
  const lossless = await encoded(pipeline.clone().webp(LOSSLESS));
  if (quality >= HIGH_QUALITY && isSmallDrawing(lossless, traits.shares)) return lossless;
  const other = await lossy();
  return lossless.data.length < other.data.length ? lossless : other;
}

/** Whether enough changes of a drawing are edges, as in text, lines and flat areas. */
const hasSharpEdges = (shares: PixelShares) =>
  isDrawing(shares) && shares.edges >= shares.changed * MIN_EDGES;

/** Whether the image is a drawing without photos. With photos, lossy WebP would be smaller. */
function isSmallDrawing({ data, info }: Encoded, { changed }: PixelShares): boolean {
  const changes = changed * info.width * info.height;
  return changed < FEW_CHANGES && data.length * 8 <= changes * MAX_BITS_PER_CHANGE;
}

function avifOptions(lossless: boolean, quality: number, traits: ImageTraits) {
  if (lossless) return { lossless, effort: 1 };
  const isDrawn = !traits.hasHalfColors && isDrawing(traits.shares);
  const chromaSubsampling = traits.hasHalfColors ? '4:2:0' : '4:4:4';
  if (traits.isLarge) return { quality, chromaSubsampling, effort: 1 };
  return {
    quality,
    chromaSubsampling,
    effort: 3,
    tune: isDrawn ? ('iq' as const) : ('ssim' as const),
  };
}

/** If the image with a palette is at most this share of the exact image before both are optimized, it stays smaller. */
const CLEARLY_SMALLER = 0.5;

/**
 * Reduces a PNG to a palette, unless that makes it larger. A large image is always reduced. Dithering compresses worse
 * than the lines and gradients of some drawings.
 */
async function fewColors(
  pipeline: Sharp,
  quality: number,
  { isLarge }: ImageTraits,
): Promise<Encoded> {
  const exact = isLarge ? undefined : await encoded(pipeline.clone().png());
  const reduced = await encoded(pipeline.png({ palette: true, quality }));
  const result = await optimized(reduced);
  if (!exact || reduced.data.length <= exact.data.length * CLEARLY_SMALLER) return result;
  const other = await optimized(exact);
  return other.data.length <= result.data.length ? other : result;
}

const optimized = async ({ data, info }: Encoded): Promise<Encoded> => ({
  data: await optimizedPng(data, info.width * info.height),
  info,
});
