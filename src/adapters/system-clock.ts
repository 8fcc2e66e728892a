/** The system's clock and random source. */
import type { Clock } from './media-fleet.ts';

export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  wait: (milliseconds, signal) => scheduler.wait(milliseconds, { signal }),
};
