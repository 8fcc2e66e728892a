/** Storage without quotas, for units that store files. */
import { CountedStorage } from '../../src/access/storage-budget.ts';

export const unlimitedStorage = new CountedStorage(null, null);
