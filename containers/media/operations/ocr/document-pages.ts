/** Defines the pages of an image or PDF, each rendered to an image that Tesseract reads. */
import type { OperationContext } from '../operation.ts';

/** Tesseract needs 0.4 CPU seconds per megapixel of dense text. The limit is five times that. */
const SECONDS_PER_MEGAPIXEL = 2;

/** Returns the limit in CPU seconds for recognizing an image of this many pixels. */
export const pageSeconds = (pixels: number): number => (pixels / 1e6) * SECONDS_PER_MEGAPIXEL;

export interface PageImage {
  /** The path of the image. The code that reads the image is allowed to delete it. */
  path: string;
  pixels: number;
}

/** A PDF to which recognized text is added. */
export interface PdfToRead {
  path: string;
  /** The pages without usable text, counted from 0. */
  unread: number[];
  warnings: string[];
}

export interface DocumentPages {
  count: number;
  warnings: string[];
  /** The resolution of each page of a PDF. Images have no `pixelsPerPoint`. */
  pixelsPerPoint?: readonly number[];
  /** Returns the document as a PDF with the same pages. */
  asPdf(): Promise<PdfToRead>;
  /**
   * Renders a page for Tesseract.
   * @param index the page, counted from 0
   */
  prepare(index: number, context: OperationContext): Promise<PageImage>;
}
