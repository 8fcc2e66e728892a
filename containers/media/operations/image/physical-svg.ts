/** Measures SVGs in centimeters, inches or points, which libvips scales twice: by the density and by the unit. */

const PHYSICAL = /\d\s*(?:cm|mm|in|pt|pc|q)\b/i;
/** The density at which an inch is 96 units, as in CSS; libvips changes the inch at other densities. */
export const PHYSICAL_DENSITY = 96;
/** Pixels that libvips draws per unit at that density. */
const PIXELS_A_UNIT = PHYSICAL_DENSITY / 72;
/** The largest size at which a drawing is measured. */
const MEASURED_SIDE = 8000;
/** Below this growth, the exponent cannot be measured, but the size is exact enough without it. */
const LEAST_GROWTH = 1.5;

interface Size {
  width: number;
  height: number;
}

/** Whether the file may contain a length in a physical unit. A false positive costs little. */
export const hasPhysicalUnits = (bytes: Buffer): boolean => PHYSICAL.test(bytes.toString('latin1'));

/**
 * Returns the size in units, which is more exact than the whole pixels that `measure` returns at
 * any density.
 */
export async function physicalSize(measure: (density: number) => Promise<Size>): Promise<Size> {
  const small = await measure(PHYSICAL_DENSITY);
  const growth = Math.sqrt(MEASURED_SIDE / Math.max(small.width, small.height));
  const large = growth < LEAST_GROWTH ? small : await measure(PHYSICAL_DENSITY * growth);
  const exact = (side: keyof Size) => {
    if (large === small) return small[side] / PIXELS_A_UNIT;
    // A side in physical units grows with the square of the density.
    const power = Math.round(Math.log(large[side] / small[side]) / Math.log(growth));
    return large[side] / growth ** power / PIXELS_A_UNIT;
  };
  return { width: exact('width'), height: exact('height') };
}
