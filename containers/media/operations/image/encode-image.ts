/** Encodes an image with settings for a quality from 0.1 to 1. */
import type { OutputInfo, Sharp } from 'sharp';
import { optimisedPng } from './optimise-png.ts';

export const OUTPUT_FORMATS = ['webp', 'jpeg', 'png', 'avif'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

export interface Encoding {
  format: OutputFormat;
  /** From 0.1 to 1, which is lossless if the format supports it. */
  quality: number;
  /** Whether to reduce a PNG to at most 256 colours, which is lossy. */
  palette: boolean;
}

/** The properties of an image that decide about the encoder's mode (ADR 68). */
export interface ImageTraits {
  /** Graphics or a screenshot, not a photo. */
  isDrawn: boolean;
  /** Its colours are stored at half the resolution, as in most JPEG files. */
  hasHalfColours: boolean;
  /** The slow modes would exceed the time limit. */
  isLarge: boolean;
}

export interface Encoded {
  data: Buffer;
  info: OutputInfo;
}

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
      return png(palette ? pipeline.png({ palette, quality: percent }) : pipeline.png());
    case 'avif':
      return encoded(pipeline.avif(avifOptions(lossless, percent, traits)));
  }
}

const encoded = (pipeline: Sharp): Promise<Encoded> =>
  pipeline.toBuffer({ resolveWithObject: true });

/** Also tries lossless WebP for drawings, which is often smaller. */
async function webp(pipeline: Sharp, quality: number, { isDrawn }: ImageTraits): Promise<Encoded> {
  const lossy = await encoded(pipeline.clone().webp({ quality, effort: 4 }));
  if (!isDrawn) return lossy;
  const lossless = await encoded(pipeline.clone().webp({ lossless: true, effort: 4 }));
  return lossless.data.length < lossy.data.length ? lossless : lossy;
}

function avifOptions(lossless: boolean, quality: number, traits: ImageTraits) {
  if (lossless) return { lossless, effort: 1 };
  const chromaSubsampling = traits.hasHalfColours && !traits.isDrawn ? '4:2:0' : '4:4:4';
  if (traits.isLarge) return { quality, chromaSubsampling, effort: 1 };
  return { quality, chromaSubsampling, effort: 3, tune: 'ssim' as const };
}

async function png(pipeline: Sharp): Promise<Encoded> {
  const { data, info } = await encoded(pipeline);
  return { data: await optimisedPng(data, info.width * info.height), info };
}
