/** The pages of an image or PDF, each of which becomes an image that Tesseract reads. */
import type { OperationContext } from '../operation.ts';

/** Tesseract takes 0.4 CPU seconds for a megapixel that is full of text. */
const SECONDS_PER_MEGAPIXEL = 2;

/** CPU seconds for drawing or reading a page of so many pixels. */
export const pageSeconds = (pixels: number): number => (pixels / 1e6) * SECONDS_PER_MEGAPIXEL;

export interface PageImage {
  /** Its reader may remove the file. */
  path: string;
  pixels: number;
}

export interface DocumentPages {
  count: number;
  /** What the caller should know beside the text. */
  warnings: string[];
  /**
   * Draws a page for Tesseract.
   * @param index counted from 0
   * @param turned whether to draw it upside down
   */
  prepare(index: number, context: OperationContext, turned?: boolean): Promise<PageImage>;
}
