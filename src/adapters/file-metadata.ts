/** The keys and metadata of stored files in R2. */
import type { StoredBy } from '../core/stored-bytes.ts';

export const FILES_PREFIX = 'files/';

/** The part of the total storage that the file counts towards. */
export const storedByOf = ({ customMetadata }: R2Object): StoredBy =>
  customMetadata?.by === 'known' ? 'known' : 'anonymous';
