/** The pages of a picture or PDF, each of which becomes a picture that Tesseract reads. */
import type { OperationContext } from '../operation.ts';

/** CPU seconds for a megapixel of a page: Tesseract takes 0.4 where it is full of text. */
export const SECONDS_PER_MEGAPIXEL = 2;

export interface PageImage {
  /** May be removed. */
  path: string;
  pixels: number;
}

export interface DocumentPages {
  count: number;
  /** What the caller should know beside the text. */
  warnings: string[];
  /** Draws the page, counted from 0, for Tesseract. `turned`: upside down. */
  prepare(index: number, context: OperationContext, turned?: boolean): Promise<PageImage>;
}
