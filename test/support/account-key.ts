/**
 * Creates API keys with an account, as `npm run key` does, for calls that anonymous callers may not
 * make.
 */

import { openDatabase } from '../../scripts/local-database.ts';
import { type KeyWords, makeOperatorKey } from '../../scripts/operator-key.ts';

/** Creates a key in the state of a service that runs on `stateDir`. */
export async function accountKey(stateDir: string, words: KeyWords = {}): Promise<string> {
  const { key, sql } = await makeOperatorKey({ account: 'Tests', ...words }, Date.now());
  const database = openDatabase(stateDir);
  database.exec(`BEGIN IMMEDIATE;${sql};COMMIT`);
  database.close();
  return key;
}
