/** Removes the metadata of an image file. The image data and the color profile are preserved. */

import { strippedJpeg } from '../../jpeg/strip-jpeg.ts';
import type { OutputFormat } from './encode-image.ts';
import { strippedAvif } from './strip-avif.ts';
import { strippedPng } from './strip-png.ts';
import { strippedWebp } from './strip-webp.ts';

const STRIPPERS = {
  jpeg: strippedJpeg,
  png: strippedPng,
  webp: strippedWebp,
  avif: strippedAvif,
};

/**
 * Returns the file without EXIF (location, camera), XMP, comments, thumbnails, and data after the end of the image.
 * Verify first that the bytes decode. Returns null if the structure of the file is not supported.
 * @param orientation the EXIF orientation, 1 to 8; in a JPEG or PNG, a value other than 1 is retained as the only EXIF
 * entry
 */
export const stripped = (format: OutputFormat, bytes: Buffer, orientation: number): Buffer | null =>
  STRIPPERS[format](bytes, orientation);
