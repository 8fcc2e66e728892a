import { expect, it } from 'vitest';
import { backUpUnderLoad } from '../support/backed-up-service.ts';

/** The limit only guards against hangs. It is generous, because the service starts and stops several times. */
const HANG_MS = 900_000;

/** test/long/backup.test.ts makes more backups. */
it('a backup of a running service restores everything confirmed before it started', {
  timeout: HANG_MS,
}, async () => {
  expect((await backUpUnderLoad(1)).lost).toEqual([]);
});
