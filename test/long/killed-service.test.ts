import { expect, it } from 'vitest';
import { KILLS_PER_ROUND, killInOneRound } from '../support/killed-service.ts';

const KILLS = 50;
/** The time limit in milliseconds. It only guards against hangs. */
const HANG_MS = 3_600_000;

it(`a service killed at ${KILLS} random moments loses nothing that it confirmed`, {
  timeout: HANG_MS,
}, async () => {
  let confirmed = 0;
  const lost: string[] = [];
  for (let kills = KILLS_PER_ROUND; kills < KILLS + KILLS_PER_ROUND; kills += KILLS_PER_ROUND) {
    const round = await killInOneRound();
    confirmed += round.confirmed;
    lost.push(...round.lost);
    console.log(`${kills} kills, ${confirmed} confirmed calls, ${lost.length} lost`);
  }
  expect(lost).toEqual([]);
});
