/** The result of compress_pdf if nothing was saved. */
import type { StoredResult } from '../stored-result.ts';

/** The edge has the file, so the reason is enough. `pages`: how many the file has, if known. */
export const unchanged = (reason: string, pages?: number): StoredResult => ({
  contentType: 'application/pdf',
  path: null,
  size: 0,
  meta: { unchanged: reason, ...(pages !== undefined && { pages }) },
});
