/**
 * Measures SVGs with sizes in centimeters, inches or points. libvips scales such sizes twice, once by the density and
 * once by the unit.
 */

const PHYSICAL = /\d\s*(?:cm|mm|in|pt|pc|q)\b/i;
/**
 * The density at which libvips draws an inch as 96 units, as CSS defines it. At other densities, libvips draws physical
 * units at the wrong size.
 */
export const PHYSICAL_DENSITY = 96;
/** The number of pixels that libvips draws per unit at that density. */
const PIXELS_A_UNIT = PHYSICAL_DENSITY / 72;
/** The length in pixels to which the longer side is enlarged for the second measurement. */
const MEASURED_SIDE = 8000;
/**
 * The minimum factor by which the density must grow for a second measurement. With a smaller factor, the exponent
 * cannot be determined, but the size is accurate enough without it.
 */
const MIN_GROWTH = 1.5;

interface Size {
  width: number;
  height: number;
}

/** Whether the file may contain a length in a physical unit. A false positive only costs a second measurement. */
export const hasPhysicalUnits = (bytes: Buffer): boolean => PHYSICAL.test(bytes.toString('latin1'));

/** Returns the size in units. It is more precise than the whole-pixel size that `measure` returns. */
export async function physicalSize(measure: (density: number) => Promise<Size>): Promise<Size> {
  const small = await measure(PHYSICAL_DENSITY);
  const growth = Math.sqrt(MEASURED_SIDE / Math.max(small.width, small.height));
  const large = growth < MIN_GROWTH ? small : await measure(PHYSICAL_DENSITY * growth);
  const exact = (side: keyof Size) => {
    if (large === small) return small[side] / PIXELS_A_UNIT;
    // A side in physical units grows with the square of the density, and a side in other units grows in proportion to
    // it.
    const power = Math.round(Math.log(large[side] / small[side]) / Math.log(growth));
    return large[side] / growth ** power / PIXELS_A_UNIT;
  };
  return { width: exact('width'), height: exact('height') };
}
