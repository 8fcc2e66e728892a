/** Returns the result of compress_pdf if nothing could be saved. */
import type { StoredResult } from '../stored-result.ts';

/** The edge already has the file, so the result contains only the reason. `pages` is the page count, if known. */
export const unchanged = (reason: string, pages?: number): StoredResult => ({
  contentType: 'application/pdf',
  path: null,
  size: 0,
  meta: { unchanged: reason, ...(pages !== undefined && { pages }) },
});
