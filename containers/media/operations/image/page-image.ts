/** Prepares images for OCR in an image process. */
import type { OperationFile } from '../operation.ts';
import { checkPage, openImage, withImageErrors } from './open-image.ts';
import { ownPages } from './tiff-features.ts';

export interface MeasuredImage {
  /** The index of each page in the file. */
  pages: number[];
  /** The number of pixels in the first page. */
  pixels: number;
  /** Whether Tesseract reads the file directly, which must be a PNG or JPEG. Tesseract ignores EXIF orientation. */
  direct: boolean;
}

/** Throws ToolError 400, 413 or 422 naming the file. */
export async function measurePageImage(file: OperationFile): Promise<MeasuredImage> {
  const { kind, metadata, bytes } = await openImage(file);
  const { orientation = 1, pages = 1 } = metadata;
  return {
    pages: kind === 'tiff' ? ownPages(bytes, pages) : [0],
    pixels: metadata.width * metadata.height,
    direct: (kind === 'png' || kind === 'jpeg') && orientation === 1,
  };
}

export interface PageTask {
  file: OperationFile;
  /** The page index, from 0. Only TIFF files have more than one page. */
  page: number;
  output: string;
}

/**
 * Writes a page as a grayscale PNG with a white background and EXIF orientation applied. Returns the number of pixels.
 * Throws ToolError 400, 413 or 422.
 */
export async function drawPage({ file, page, output }: PageTask): Promise<number> {
  const image = await openImage(file);
  const options = page > 0 ? { page } : {};
  if (page > 0) await checkPage(image, page);
  const { width, height } = await withImageErrors(file.name, () =>
    image
      .open(options)
      .flatten({ background: 'white' })
      .grayscale()
      .png({ compressionLevel: 1 })
      .toFile(output),
  );
  return width * height;
}
