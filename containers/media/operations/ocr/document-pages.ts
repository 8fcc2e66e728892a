/** The pages of an image or PDF, each rendered to an image that Tesseract reads. */
import type { OperationContext } from '../operation.ts';

/** Tesseract takes 0.4 CPU seconds per megapixel of dense text. */
const SECONDS_PER_MEGAPIXEL = 2;

/** CPU seconds for rendering or reading a page of this many pixels. */
export const pageSeconds = (pixels: number): number => (pixels / 1e6) * SECONDS_PER_MEGAPIXEL;

export interface PageImage {
  /** The path of the image. The reader of the image may delete it. */
  path: string;
  pixels: number;
}

/** The document to which recognized text is added. */
export interface PdfToRead {
  path: string;
  /** The pages without usable text, from 0. */
  unread: number[];
  warnings: string[];
}

export interface DocumentPages {
  count: number;
  /** Warnings for the caller. */
  warnings: string[];
  /** The resolution of each page of a PDF; absent for images. */
  pixelsPerPoint?: readonly number[];
  /** Returns the document as a PDF with the same pages. */
  asPdf(): Promise<PdfToRead>;
  /**
   * Draws a page for Tesseract.
   * @param index counted from 0
   * @param turned whether to draw it upside down
   */
  prepare(index: number, context: OperationContext, turned?: boolean): Promise<PageImage>;
}
