/**
 * Makes animated AVIF files readable. libvips refuses their brand, although their still image, which is usually the
 * first frame, is stored as in other files (AV1 Image File Format, section 6).
 */

const ANIMATED = 'avis';
const STILL = 'avif';
const MAJOR_BRAND = 8;
const COMPATIBLE_BRANDS = 16;

/** Whether a file with an `ftyp` box declares a sequence of images. */
export function isAnimatedAvif(file: Buffer): boolean {
  if (brandAt(file, MAJOR_BRAND) === ANIMATED) return true;
  const end = Math.min(file.readUInt32BE(0), file.length);
  for (let at = COMPATIBLE_BRANDS; at + 4 <= end; at += 4) {
    if (brandAt(file, at) === ANIMATED) return true;
  }
  return false;
}

const brandAt = (file: Buffer, at: number) => file.toString('latin1', at, at + 4);

/** Returns the file with the brand of a still image. */
export function asStillAvif(file: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  const still = Buffer.from(file);
  still.write(STILL, MAJOR_BRAND, 'latin1');
  return still;
}
