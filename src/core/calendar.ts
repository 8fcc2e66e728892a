/** Computes calendar periods in UTC for quotas and retention. */

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Returns the name and the end of the day or month that contains `time` (milliseconds since the epoch). */
export function periodOf(per: 'day' | 'month', time: number): { name: string; end: number } {
  const date = new Date(time);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  const iso = date.toISOString();
  return per === 'day'
    ? { name: iso.slice(0, 10), end: Date.UTC(year, month, day + 1) }
    : { name: iso.slice(0, 7), end: Date.UTC(year, month + 1, 1) };
}
