import { setTimeout as pause } from 'node:timers/promises';
import { PATIENCE_MS } from './patience.ts';

/** Waits until the condition is true. Returns false if it is still false after `milliseconds`. */
export async function until(
  condition: () => boolean,
  milliseconds = PATIENCE_MS,
): Promise<boolean> {
  for (const end = Date.now() + milliseconds; Date.now() < end; await pause(20)) {
    if (condition()) return true;
  }
  return condition();
}
