/** Parses a point in time and formats it in all notations. */
import { defineTool } from '../../core/define-tool.ts';
import { badRequest, type ToolError } from '../../core/errors.ts';
import { json } from '../../core/tool-output.ts';
import { momentFormat } from '../moment-format.ts';
import { convertTimestamp } from './convert_timestamp.ts';

export const convertTimestampHere = defineTool({
  ...convertTimestamp,
  run({ value, timeZone }) {
    const format = momentFormat(timeZone);
    // Browsers replace the names of some zones: CET becomes Europe/Brussels.
    const { timeZone: canonicalZone } = format.resolvedOptions();
    const zone = timeZone ?? canonicalZone;
    const { ms, readAs } = read(value, zone);
    const date = new Date(ms);
    const local = localIso(ms, zone);
    return json({
      'Read as': readAs,
      'Unix, seconds': String(Math.floor(ms / 1000)),
      'Unix, milliseconds': String(ms),
      'ISO 8601': date.toISOString(),
      'ISO 8601, local': local,
      UTC: date.toUTCString(),
      ...(canonicalZone !== 'UTC' && { [zone]: dateInWords(date, format, local) }),
      'From now': fromNow(ms),
    });
  },
});

interface Moment {
  /** The point in time in milliseconds since the epoch. */
  ms: number;
  /** Describes how the text was interpreted. */
  readAs: string;
}

/** The units of Unix time, each with the maximum number of digits of a value in this unit. */
const UNITS = [
  { maxDigits: 11, name: 'seconds', perMs: undefined },
  { maxDigits: 14, name: 'milliseconds', perMs: 1n },
  { maxDigits: 17, name: 'microseconds', perMs: 1000n },
  { maxDigits: Number.POSITIVE_INFINITY, name: 'nanoseconds', perMs: 1_000_000n },
] as const;

/** Matches a number whose digits are grouped by commas or underscores. */
const GROUPED = /^[+-]?\d{1,3}(?:[,_]\d{3})+(?:\.\d+)?$/;

/** Match a date in ISO 8601, with slashes instead of hyphens, or with the name of the month (RFC 2822). */
const DATES = [
  /^(?<year>\d{4}|[+-]\d{6})-(?<month>\d\d)-(?<day>\d\d)/,
  /^(?<year>\d{4})\/(?<month>\d\d?)\/(?<day>\d\d?)/,
  /^(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? )?(?<month>[a-z]{3,9}) (?<day>\d\d?),? (?<year>\d{4})/i,
  /^(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? )?(?<day>\d\d?) (?<month>[a-z]{3,9}) (?<year>[+-]?\d{4,6})/i,
];

const MONTHS =
  'january february march april may june july august september october november december'.split(
    ' ',
  );

/** Matches the time, the zone and the comment (RFC 2822) after a date. */
const TIME =
  /^(?:(?:T|,? | at )(\d\d?):(\d\d)(?::(\d\d)(\.\d+)?)?(?: ?([ap]m))?)?(?: ?([a-z]+|(?:GMT|UTC)?[+-][\d:]+))?(?: \([^()]*\))?$/i;

/** The offsets in hours of the zone names in RFC 2822 and in this tool's results. */
const ZONE_HOURS: Record<string, number> = {
  Z: 0,
  UT: 0,
  UTC: 0,
  GMT: 0,
  WET: 0,
  WEST: 1,
  BST: 1,
  CET: 1,
  CEST: 2,
  EET: 2,
  EEST: 3,
  GST: 4,
  EDT: -4,
  EST: -5,
  CDT: -5,
  CST: -6,
  MDT: -6,
  MST: -7,
  PDT: -7,
  PST: -8,
};

/** Returns the point in time that the text describes. Throws 400 if it describes none. */
function read(text: string, timeZone: string): Moment {
  const trimmed = text.trim().replace(/\s+/g, ' ');
  if (trimmed === '' || trimmed.toLowerCase() === 'now') return { ms: Date.now(), readAs: 'now' };
  const ungrouped = GROUPED.test(trimmed) ? trimmed.replace(/[,_]/g, '') : trimmed;
  const number = /^([+-]?)(\d+)(\.\d+)?$/.exec(ungrouped);
  if (number) return readNumber(number[1]!, number[2]!, number[3]);
  return readDate(trimmed, timeZone);
}

function readDate(text: string, timeZone: string): Moment {
  const date = DATES.map((pattern) => pattern.exec(text)).find(Boolean);
  const time = date && TIME.exec(text.slice(date[0].length));
  if (!time) throw unreadable(text);
  const { year = '', month = '', day = '' } = date.groups!;
  const [, hour = '0', minute = '00', second = '00', fraction = '', half, zone] = time;
  const clock = `${twoDigits(hourOfDay(hour, half))}:${minute}:${second}${fraction.slice(0, 4)}`;
  const utc = Date.parse(
    `${isoYear(year)}-${twoDigits(monthNumber(month))}-${twoDigits(day)}T${clock}Z`,
  );
  // Date.parse interprets February 31 as March 3.
  if (Number.isNaN(utc) || new Date(utc).getUTCDate() !== Number(day))
    throw badRequest(`The date ${text} does not exist.`, 'value');
  if (zone) return checked(utc - offsetIn(zone), `a date in the zone ${zone}`);
  const { ms, note } = inZone(utc, timeZone);
  return checked(ms, `a date in ${timeZone}${note}`);
}

/** Returns the month's number for a number, a name or the start of a name. Returns 0 for any other text. */
const monthNumber = (month: string) =>
  Number(month) || MONTHS.findIndex((name) => name.startsWith(month.toLowerCase())) + 1;

/** Returns the year with four digits, or with a sign and six digits, as in the date format of ECMAScript. */
const isoYear = (year: string) =>
  /^\d{4}$/.test(year)
    ? year
    : `${year.startsWith('-') ? '-' : '+'}${year.replace(/^[+-]/, '').padStart(6, '0')}`;

/**
 * Returns the hour from 0 to 23. An hour that is impossible with `am` or `pm` becomes 24, which makes the date invalid.
 */
function hourOfDay(hour: string, half: string | undefined): number {
  const number = Number(hour);
  if (half === undefined) return number;
  if (number < 1 || number > 12) return 24;
  return (number % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
}

const twoDigits = (number: string | number) => String(number).padStart(2, '0');

function unreadable(text: string): ToolError {
  if (/^\d\d?[/.-]\d\d?[/.-]\d/.test(text))
    return badRequest(
      `The order of day and month in ${text} is unclear. Begin with the year, as in 2026-11-27.`,
      'value',
    );
  return badRequest(
    'Enter Unix time, or a date such as 2026-11-21, 2026-11-21T09:30:00Z or 21 Nov 2026 09:30 GMT.',
    'value',
  );
}

/**
 * Returns the point in time at which clocks in the zone show the local time. `local` is the local time as if it were
 * UTC. If a time occurs twice, the first occurrence is used. A time that clocks skip is moved forward by the length of
 * the gap (RFC 5545, section 3.3.5).
 */
function inZone(local: number, timeZone: string): { ms: number; note: string } {
  const before = offsetAt(local - DAY_MS, timeZone);
  const after = offsetAt(local + DAY_MS, timeZone);
  const [first, ...others] = [...new Set([before, after])]
    .map((offset) => ({
      ms: local - offset,
      isRight: offsetAt(local - offset, timeZone) === offset,
    }))
    .filter(({ isRight }) => isRight);
  if (!first) return { ms: local - before, note: ', where clocks skip this time' };
  const isTwice = others.length > 0;
  return { ms: first.ms, note: isTwice ? ', the earlier of two possible times' : '' };
}

function readNumber(sign: string, digits: string, fraction: string | undefined): Moment {
  const significant = digits.replace(/^0+(?=\d)/, '');
  const { name, perMs } = UNITS.find(({ maxDigits }) => significant.length <= maxDigits)!;
  const whole = BigInt(sign + significant);
  if (perMs) return checked(Number(whole / perMs), name);
  return checked(Number(whole) * 1000 + Number(`${sign}0${fraction ?? ''}`) * 1000, name);
}

function checked(ms: number, readAs: string): Moment {
  if (Number.isNaN(new Date(ms).getTime()))
    throw badRequest(
      'The date is out of range. Enter one between 271,821 BC and AD 275,760.',
      'value',
    );
  return { ms: Math.trunc(ms), readAs };
}

const DAY_MS = 86_400_000;

/** Returns the difference between the zone's local time and UTC in milliseconds. It is positive east of Greenwich. */
function offsetAt(ms: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  return offsetIn(format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')!.value);
}

/** Returns the offset in milliseconds that `Z`, `CET`, `-0530`, `GMT+1` or `GMT+00:53:28` names. */
function offsetIn(zone: string): number {
  const known = ZONE_HOURS[zone.toUpperCase()];
  if (known !== undefined) return known * 3_600_000;
  const offset = /^(?:GMT|UTC)?([+-])([01]?\d)(?::?([0-5]\d)(?::?([0-5]\d))?)?$/i.exec(zone);
  if (!offset)
    throw badRequest(`The zone ${zone} is unknown. Enter an offset such as +01:00.`, 'value');
  const [, sign, hours, minutes = 0, seconds = 0] = offset;
  return Number(`${sign}1`) * Date.UTC(1970, 0, 1, Number(hours), Number(minutes), Number(seconds));
}

const SECONDS = [
  ['year', 31_556_952],
  ['month', 2_629_746],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

function fromNow(ms: number): string {
  const seconds = (ms - Date.now()) / 1000;
  const [unit, length] = SECONDS.find(([, size]) => Math.abs(seconds) >= size) ?? SECONDS.at(-1)!;
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  return format.format(Math.trunc(seconds / length), unit);
}

/** Returns the local time, followed by the zone's offset. */
function localIso(ms: number, timeZone: string): string {
  const offset = offsetAt(ms, timeZone);
  const local = new Date(ms + offset);
  if (Number.isNaN(local.getTime())) return new Date(ms).toISOString();
  const sign = offset < 0 ? '-' : '+';
  // Before standard time, offsets had seconds: Berlin was at +00:53:28.
  const distance = new Date(Math.abs(offset)).toISOString().slice(11, 19).replace(/:00$/, '');
  return `${local.toISOString().slice(0, -1)}${sign}${distance}`;
}

/**
 * Returns the date in words, with the year from its ISO 8601 form, because `format` omits the era and leading zeros.
 */
function dateInWords(date: Date, format: Intl.DateTimeFormat, iso: string): string {
  const [year] = /^[+-]?\d+/.exec(iso)!;
  const parts = format.formatToParts(date);
  return parts.map(({ type, value }) => (type === 'year' ? year : value)).join('');
}
