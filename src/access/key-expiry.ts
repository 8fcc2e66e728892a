/** Parses the expiry date of a new key. Both the website and the command line use this module. */
import { periodOf } from '../core/calendar.ts';

const YEARS = 10;

/** Returns the latest selectable day. */
export const latestKeyDay = (now: number): string => {
  const date = new Date(now);
  return periodOf('day', date.setUTCFullYear(date.getUTCFullYear() + YEARS)).name;
};

/**
 * Parses `2027-01-31` (the end of that day in UTC) or `2027-01-31T12:00:00Z` into milliseconds since the epoch. For any
 * other text, returns `wrong`, which completes a message that begins with "the date …".
 */
export function parseKeyExpiry(text: string, now: number): { end: number } | { wrong: string } {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)(T[\d:.]+Z)?$/.exec(text) ?? [];
  const start = Date.parse(day ?? '');
  const moment = Date.parse(text);
  // Date.parse reads 2027-02-31 as 3 March, so the result is formatted again and compared with the text.
  if (Number.isNaN(start + moment) || periodOf('day', start).name !== day) {
    return { wrong: 'must be a date such as 2027-01-31' };
  }
  const end = time === undefined ? periodOf('day', start).end : moment;
  if (end <= now) return { wrong: 'must be in the future' };
  if (day > latestKeyDay(now)) return { wrong: `must be within ${YEARS} years` };
  return { end };
}
