/** Computes the downsampling factors for images. The standard level is like Ghostscript's /ebook setting. */

/** The compression level. At `standard`, pages look the same. At `strong`, images lose sharpness. */
export type Level = 'standard' | 'strong';

interface Reduction {
  /** Images of at least `from` pixels per inch are reduced to `to` pixels per inch. */
  from: number;
  to: number;
}

/** One-bit images need a higher resolution, because they have no gray levels for smooth edges. */
const REDUCTIONS: Record<Level, { samples: Reduction; oneBit: Reduction }> = {
  standard: { samples: { from: 225, to: 150 }, oneBit: { from: 450, to: 300 } },
  strong: { samples: { from: 140, to: 100 }, oneBit: { from: 280, to: 200 } },
};

/** Returns the factor for both sides, or 1 to keep the size. */
export function imageScale(ppi: number, level: Level, isOneBit = false): number {
  const { from, to } = REDUCTIONS[level][isOneBit ? 'oneBit' : 'samples'];
  return ppi >= from ? to / ppi : 1;
}
