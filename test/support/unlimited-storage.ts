/** Implements storage without quotas, for unit tests that store files. */
import { CountedStorage } from '../../src/access/storage-budget.ts';

export const unlimitedStorage = new CountedStorage(null, null);
