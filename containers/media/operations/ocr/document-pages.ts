/** The pages of a picture or PDF, each of which becomes a picture that Tesseract reads. */
import type { OperationContext } from '../operation.ts';

export interface DocumentPages {
  count: number;
  /** What the caller should know beside the text. */
  warnings: string[];
  /**
   * Makes the page, counted from 0, ready for Tesseract: the path of a picture that may be removed. `turned`: upside
   * down.
   */
  prepare(index: number, context: OperationContext, turned?: boolean): Promise<string>;
}
