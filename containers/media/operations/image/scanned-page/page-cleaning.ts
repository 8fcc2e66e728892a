/**
 * Cleans the image of a page for OCR, in an image process. Evens out the background, levels slanted lines, and enlarges
 * small pages. Each step runs only if measurements show that the page needs it.
 */
import sharp from 'sharp';
import { permissionFor } from '../large-images.ts';
import { isBlank } from './page-noise.ts';
import { evenedOut, isUneven, paperOf } from './page-paper.ts';
import { openPage } from './page-pixels.ts';
import { slantOf } from './page-slant.ts';

/**
 * The minimum length of a page's shorter side in pixels. Smaller pages are enlarged to twice their size, because
 * Tesseract needs letters about 20 pixels tall, which is ten points at 150 dpi.
 */
const SMALL_SIDE = 1400;
/** The minimum slant in degrees that is corrected. Tesseract reads lines with a smaller slant well. */
const MIN_SLANT = 1;
/** The length in pixels of the longer side of the downscaled page that is measured. */
const MEASURED_SIDE = 1200;

export interface CleaningTask {
  /** The path of an image that Tesseract can read. */
  path: string;
  output: string;
}

/** The changes that produced the cleaned image. The page was rotated first and then enlarged. */
export interface Cleaning {
  /** The clockwise rotation in degrees around the page's center. The canvas grows to contain the whole page. */
  degrees: number;
  /** The number of pixels of the cleaned image per pixel of the page. */
  scale: number;
  /** The size of the page in pixels. */
  width: number;
  height: number;
  /** The number of pixels in the cleaned image. */
  pixels: number;
}

/**
 * Writes the cleaned page to `output` as a grayscale PNG. Returns null if the page needs no cleaning, and `blank` if it
 * contains only noise, which cleaning would amplify.
 */
export async function cleanPage({
  path,
  output,
}: CleaningTask): Promise<Cleaning | 'blank' | null> {
  const page = await openPage(path);
  const { width, height } = page;
  await permissionFor(width * height);
  const small = await page.within(MEASURED_SIDE);
  if (isBlank(small)) return 'blank';
  const paper = paperOf(small);
  const uneven = isUneven(paper);
  const slant = slantOf(uneven ? { ...small, data: evenedOut(small, paper) } : small);
  const degrees = Math.abs(slant) >= MIN_SLANT ? -slant : 0;
  const scale = Math.min(width, height) < SMALL_SIDE ? 2 : 1;
  if (!uneven && degrees === 0 && scale === 1) return null;
  const whole = await page.whole();
  const data = uneven ? evenedOut(whole, paper) : whole.data;
  let image = sharp(data, { raw: { width, height, channels: 1 }, limitInputPixels: false });
  if (degrees !== 0) image = image.rotate(degrees, { background: 'white' });
  const turned = await image.grayscale().raw().toBuffer({ resolveWithObject: true });
  const written = await sharp(turned.data, {
    raw: { width: turned.info.width, height: turned.info.height, channels: 1 },
    limitInputPixels: false,
  })
    .resize({ width: turned.info.width * scale, kernel: 'cubic' })
    .grayscale()
    .png({ compressionLevel: 1 })
    .toFile(output);
  return { degrees, scale, width, height, pixels: written.width * written.height };
}
