import { expect, it } from 'vitest';
import { killInOneRound } from '../support/killed-service.ts';

/** The limit only guards against hangs. It is generous, because the service starts and stops several times. */
const HANG_MS = 900_000;

/** test/long/killed-service.test.ts kills the service more often. */
it('a service killed in an upgrade, under load and in a restore loses nothing that it confirmed', {
  timeout: HANG_MS,
}, async () => {
  const { confirmed, lost } = await killInOneRound();
  expect(lost).toEqual([]);
  expect(confirmed).toBeGreaterThan(0);
});
