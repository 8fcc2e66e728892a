/** Formats a moment for readers in a time zone. */
import { badRequest } from '../core/errors.ts';

/** `timeZone` is an IANA name; default: that of the browser. Throws 400 for a zone that does not exist. */
export function momentFormat(timeZone: string | undefined): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'full', timeStyle: 'long' });
  } catch {
    throw badRequest(
      `There is no time zone ${timeZone}. Enter one such as Europe/Berlin.`,
      'timeZone',
    );
  }
}
