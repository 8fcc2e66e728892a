import { expect, it } from 'vitest';
import { backUpUnderLoad } from '../support/backed-up-service.ts';

/** test/long/backup.test.ts writes more backups. */
it('a backup of a service in use restores what was confirmed before it began', async () => {
  expect((await backUpUnderLoad(1)).lost).toEqual([]);
});
