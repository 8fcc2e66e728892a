/** The result of compress_pdf where nothing was saved. */
import type { StoredResult } from '../stored-result.ts';

/** The edge has the file already: no bytes and the reason will do. */
export const unchanged = (reason: string): StoredResult => ({
  contentType: 'application/pdf',
  path: null,
  size: 0,
  meta: { unchanged: reason },
});
