/** Computes the structural similarity of two images (Wang et al., 2004) over square windows of luma. */
import sharp from 'sharp';

const SIDE = 8;
const STEP = 4;
const PIXELS = SIDE * SIDE;
const C1 = (0.01 * 255) ** 2;
const C2 = (0.03 * 255) ** 2;

export interface Luma {
  width: number;
  height: number;
  values: Float32Array;
}

export async function lumaOf(image: Buffer): Promise<Luma> {
  const { data, info } = await sharp(image)
    .toColorspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const values = Float32Array.from({ length: width * height }, (_, index) => {
    const at = index * channels;
    const [red = 0, green = red, blue = red] = data.subarray(at, at + channels);
    return 0.299 * red + 0.587 * green + 0.114 * blue;
  });
  return { width, height, values };
}

/** Returns the mean over all windows. The value is 1 for identical images. */
export function ssim(one: Luma, other: Luma): number {
  let [sum, squares] = [0, 0];
  for (let y = 0; y + SIDE <= one.height; y += STEP) {
    for (let x = 0; x + SIDE <= one.width; x += STEP) {
      sum += ofSquare(one, other, x, y);
      squares += 1;
    }
  }
  return sum / squares;
}

function ofSquare(one: Luma, other: Luma, left: number, top: number): number {
  let [a, b, aa, bb, ab] = [0, 0, 0, 0, 0];
  for (let y = top; y < top + SIDE; y += 1) {
    for (let x = left; x < left + SIDE; x += 1) {
      const p = one.values[y * one.width + x] ?? 0;
      const q = other.values[y * one.width + x] ?? 0;
      a += p;
      b += q;
      aa += p * p;
      bb += q * q;
      ab += p * q;
    }
  }
  const [meanA, meanB] = [a / PIXELS, b / PIXELS];
  const [varianceA, varianceB] = [aa / PIXELS - meanA ** 2, bb / PIXELS - meanB ** 2];
  const covariance = ab / PIXELS - meanA * meanB;
  return (
    ((2 * meanA * meanB + C1) * (2 * covariance + C2)) /
    ((meanA ** 2 + meanB ** 2 + C1) * (varianceA + varianceB + C2))
  );
}
