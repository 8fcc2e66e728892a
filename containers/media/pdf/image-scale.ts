/** Computes the downsampling factors for images, like Ghostscript's /ebook setting. */

interface Reduction {
  /** Pixels per inch. */
  from: number;
  to: number;
}

const SAMPLES: Reduction = { from: 225, to: 150 };
/** One-bit images need a higher resolution, because they have no gray levels for smooth edges. */
const ONE_BIT: Reduction = { from: 450, to: 300 };

/** Returns the factor for both sides, or 1 to keep the size. */
export function imageScale(ppi: number, isOneBit = false): number {
  const { from, to } = isOneBit ? ONE_BIT : SAMPLES;
  return ppi >= from ? to / ppi : 1;
}
