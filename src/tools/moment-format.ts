/** Formats a point in time for readers in a time zone. */
import { badRequest } from '../core/errors.ts';

/** `timeZone` is an IANA name and defaults to the browser's time zone. Throws 400 if the zone does not exist. */
export function momentFormat(timeZone: string | undefined): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'full', timeStyle: 'long' });
  } catch {
    throw badRequest(
      `The time zone ${timeZone} is unknown. Enter an IANA name such as Europe/Berlin.`,
      'timeZone',
    );
  }
}
