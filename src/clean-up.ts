/** Deletes expired data from the stores that do not do this themselves. */
import { DAY_MS } from './core/calendar.ts';
import { log } from './lib/log.ts';
import type { Services } from './services.ts';

/**
 * How long revoked and expired keys remain listed, in milliseconds. During this time, calls with such a key get a
 * specific error code.
 */
const INVALID_KEYS_LISTED_MS = 30 * DAY_MS;

/**
 * Deletes data that expired before `now`. Returns the number of deleted files. The failure of one store is logged and
 * does not affect the other stores.
 */
export async function cleanUp(services: Services, now: number): Promise<number> {
  const { storage, ports, keys, accounts, sessions, usage, uploads, agentFiles, moderation } =
    services;
  const results = await Promise.allSettled([
    storage.cleanUp(now),
    ports.cache.cleanUp(now),
    keys.cleanUp(now - INVALID_KEYS_LISTED_MS),
    accounts.cleanUp(now),
    sessions.cleanUp(now),
    usage.cleanUp(now),
    uploads.cleanUp(now),
    agentFiles.cleanUp(now),
    moderation.cleanUp(now),
  ]);
  for (const result of results) {
    if (result.status === 'rejected') log('error', 'clean-up-failed', { cause: result.reason });
  }
  const [files, cached] = results;
  return numberOf(files) + numberOf(cached);
}

const numberOf = (result: PromiseSettledResult<number>): number =>
  result.status === 'fulfilled' ? result.value : 0;
