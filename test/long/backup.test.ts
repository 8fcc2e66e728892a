import { expect, it } from 'vitest';
import { backUpUnderLoad } from '../support/backed-up-service.ts';

const BACKUPS = 10;
/** The time limit in milliseconds. It only guards against hangs. */
const HANG_MS = 3_600_000;

it(`each of ${BACKUPS} backups of a running service restores everything confirmed before it started`, {
  timeout: HANG_MS,
}, async () => {
  const { confirmed, lost } = await backUpUnderLoad(BACKUPS);
  console.log(`${BACKUPS} backups, ${confirmed} confirmed calls, ${lost.length} lost`);
  expect(lost).toEqual([]);
});
