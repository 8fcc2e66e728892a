/** Defines the keys and the metadata of stored files in R2. */
import type { StoredBy } from '../core/stored-bytes.ts';

export const FILES_PREFIX = 'files/';

/** Returns whether the file counts toward the storage of anonymous or of identified callers. */
export const storedByOf = ({ customMetadata }: R2Object): StoredBy =>
  customMetadata?.by === 'known' ? 'known' : 'anonymous';
