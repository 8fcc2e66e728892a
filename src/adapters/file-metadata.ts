/** Where stored files are in R2, and what their metadata says. */
import type { StoredBy } from '../core/stored-bytes.ts';

export const FILES_PREFIX = 'files/';

/** Whose share of the total a file is counted in. */
export const storedByOf = ({ customMetadata }: R2Object): StoredBy =>
  customMetadata?.by === 'known' ? 'known' : 'anonymous';
