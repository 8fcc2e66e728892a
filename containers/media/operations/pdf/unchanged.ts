/** Returns the result of compress_pdf for a file that stays unchanged. */
import type { StoredResult } from '../stored-result.ts';

/**
 * Returns a result that contains only the reason, because the edge already has the file. `pages` is the page count, if
 * known.
 */
export const unchanged = (reason: string, pages?: number): StoredResult => ({
  contentType: 'application/pdf',
  path: null,
  size: 0,
  meta: { unchanged: reason, ...(pages !== undefined && { pages }) },
});
