/** Creates API keys that belong to an account, as `npm run key` does. Some calls require such a key. */

import { openDatabase } from '../../scripts/local-database.ts';
import { type KeyWords, makeOperatorKey } from '../../scripts/operator-key.ts';

/** Creates a key in `stateDir`. The service may be running. */
export async function accountKey(stateDir: string, words: KeyWords = {}): Promise<string> {
  const { key, sql } = await makeOperatorKey({ account: 'Tests', ...words }, Date.now());
  const database = openDatabase(stateDir);
  database.exec(`BEGIN IMMEDIATE;${sql};COMMIT`);
  database.close();
  return key;
}
