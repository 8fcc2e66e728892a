/** The keys of stored files in R2, and their metadata. */
import type { StoredBy } from '../core/stored-bytes.ts';

export const FILES_PREFIX = 'files/';

/** The share of the total storage that a file counts towards. */
export const storedByOf = ({ customMetadata }: R2Object): StoredBy =>
  customMetadata?.by === 'known' ? 'known' : 'anonymous';
