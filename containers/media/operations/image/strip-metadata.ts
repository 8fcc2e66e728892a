/** Removes the metadata of an image file without touching its image data, color profile or orientation. */

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
 * Returns the file without EXIF (location, camera), XMP, comments, thumbnails and everything after
 * its end. Check first that the bytes decode. Returns null if the structure of the file is not
 * understood.
 * @param orientation EXIF, 1 to 8; retained as the only EXIF entry unless 1
 */
export const stripped = (format: OutputFormat, bytes: Buffer, orientation: number): Buffer | null =>
  STRIPPERS[format](bytes, orientation);
