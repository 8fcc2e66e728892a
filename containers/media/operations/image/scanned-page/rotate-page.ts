/** Rotates the image of a page for OCR, in an image process. */
import sharp from 'sharp';
import { permissionFor } from '../large-images.ts';
import { openPage } from './page-pixels.ts';

/** A clockwise rotation in degrees. */
export type Rotation = 0 | 90 | 180 | 270;

export interface RotationTask {
  /** The path of an image that Tesseract can read. */
  path: string;
  output: string;
  rotation: Rotation;
}

/** Writes the rotated page to `output` as a grayscale PNG. */
export async function rotatePage({ path, output, rotation }: RotationTask): Promise<null> {
  const page = await openPage(path);
  await permissionFor(page.width * page.height);
  const { data, width, height } = await page.whole();
  await sharp(data, { raw: { width, height, channels: 1 }, limitInputPixels: false })
    .rotate(rotation)
    .grayscale()
    .png({ compressionLevel: 1 })
    .toFile(output);
  return null;
}
