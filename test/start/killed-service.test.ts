import { expect, it } from 'vitest';
import { killInOneRound } from '../support/killed-service.ts';

/** test/long/killed-service.test.ts kills it more often. */
it('a service that is killed in an upgrade, under load and in a restore loses nothing that it confirmed', async () => {
  const { confirmed, lost } = await killInOneRound();
  expect(lost).toEqual([]);
  expect(confirmed).toBeGreaterThan(0);
});
