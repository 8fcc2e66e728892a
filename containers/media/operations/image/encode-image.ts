/** Encoder settings for a quality from 0.1 to 1. */
import type { Sharp } from 'sharp';

export const OUTPUT_FORMATS = ['webp', 'jpeg', 'png', 'avif'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** Adds the encoder to a pipeline. Quality 1 is lossless if the format supports it. */
export function encode(pipeline: Sharp, format: OutputFormat, quality: number): Sharp {
  const lossless = quality === 1;
  const percent = lossless ? 100 : Math.min(99, Math.round(quality * 100));
  switch (format) {
    case 'webp':
      // Effort 4, the default, takes twice as long for files of the same size.
      return pipeline.webp(lossless ? { lossless } : { quality: percent, effort: 2 });
    case 'jpeg':
      return pipeline
        .flatten({ background: '#fff' })
        .jpeg({ mozjpeg: true, quality: percent, chromaSubsampling: lossless ? '4:4:4' : '4:2:0' });
    case 'png':
      // Level 9 takes three times as long for 1 % less.
      return pipeline.png({ compressionLevel: 6, adaptiveFiltering: true });
    case 'avif':
      // Effort 4, the default, takes thirteen times as long for 5 % less.
      return pipeline.avif(lossless ? { lossless, effort: 1 } : { quality: percent, effort: 1 });
  }
}
