/** Formats a point in time for readers in a time zone. */
import { badRequest } from '../core/errors.ts';

/** `timeZone` is an IANA name and defaults to the browser's time zone. Throws 400 if the zone does not exist. */
export function momentFormat(timeZone: string | undefined): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'full', timeStyle: 'long' });
  } catch {
    throw badRequest(`The time zone ${timeZone} is unknown. ${advice(timeZone ?? '')}`, 'timeZone');
  }
}

/** Suggests the zones of the given city, or an example if there are none. */
function advice(given: string): string {
  const lettersOf = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');
  const zones = Intl.supportedValuesOf('timeZone').filter(
    (zone) => lettersOf(zone.split('/').at(-1)!) === lettersOf(given),
  );
  if (zones.length === 0) return 'Enter an IANA name such as Europe/Berlin.';
  return `Did you mean ${zones.join(' or ')}?`;
}
