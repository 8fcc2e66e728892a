/** By how much images are reduced, as in Ghostscript's /ebook. */

interface Reduction {
  /** Pixels per inch. */
  from: number;
  to: number;
}

const SAMPLES: Reduction = { from: 225, to: 150 };
/** Gray levels hide coarse edges, which one bit cannot. */
const ONE_BIT: Reduction = { from: 450, to: 300 };

/** The factor for both sides; 1 to keep the size. */
export function imageScale(ppi: number, isOneBit = false): number {
  const { from, to } = isOneBit ? ONE_BIT : SAMPLES;
  return ppi >= from ? to / ppi : 1;
}
