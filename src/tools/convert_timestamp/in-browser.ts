/** Parses a point in time and formats it in all notations. */
import { defineTool } from '../../core/define-tool.ts';
import { badRequest } from '../../core/errors.ts';
import { json } from '../../core/tool-output.ts';
import { momentFormat } from '../moment-format.ts';
import { convertTimestamp } from './convert_timestamp.ts';

export const convertTimestampHere = defineTool({
  ...convertTimestamp,
  run({ value, timeZone }) {
    const format = momentFormat(timeZone);
    const zone = format.resolvedOptions().timeZone;
    const { ms, readAs } = read(value, zone);
    const date = new Date(ms);
    return json({
      'Read as': readAs,
      'Unix, seconds': String(Math.floor(ms / 1000)),
      'Unix, milliseconds': String(ms),
      'ISO 8601': date.toISOString(),
      'ISO 8601, local': localIso(ms, zone),
      UTC: date.toUTCString(),
      ...(zone !== 'UTC' && { [zone]: format.format(date) }),
      'From now': fromNow(ms),
    });
  },
});

interface Moment {
  /** Milliseconds since the epoch. */
  ms: number;
  /** Describes how the text was interpreted. */
  readAs: string;
}

/** The units of Unix time, each with the maximum number of digits that a value in this unit has. */
const UNITS = [
  { maxDigits: 11, name: 'seconds', perMs: undefined },
  { maxDigits: 14, name: 'milliseconds', perMs: 1n },
  { maxDigits: 17, name: 'microseconds', perMs: 1000n },
  { maxDigits: Number.POSITIVE_INFINITY, name: 'nanoseconds', perMs: 1_000_000n },
] as const;

const DATE =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(\.\d+)?)?)?\s*(Z|[+-]\d\d:?\d\d)?$/i;

/** Returns the point in time that the text describes. Throws 400 if it describes none. */
function read(text: string, timeZone: string): Moment {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.toLowerCase() === 'now') return { ms: Date.now(), readAs: 'now' };
  const number = /^([+-]?)(\d+)(\.\d+)?$/.exec(trimmed);
  if (number) return readNumber(number[1]!, number[2]!, number[3]);
  const date = DATE.exec(trimmed);
  if (!date)
    throw badRequest(
      'Enter Unix time, or a date such as 2026-11-21 or 2026-11-21T09:30:00Z.',
      'value',
    );
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', offset] =
    date;
  const plain = `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction.slice(0, 4)}`;
  const utc = Date.parse(`${plain}Z`);
  // Date.parse interprets February 31 as March 3.
  if (Number.isNaN(utc) || new Date(utc).getUTCDate() !== Number(day))
    throw badRequest(`The date ${trimmed} does not exist.`, 'value');
  if (offset) {
    const colon = offset.toUpperCase() === 'Z' ? 'Z' : `${offset.slice(0, 3)}:${offset.slice(-2)}`;
    return checked(Date.parse(plain + colon), 'ISO 8601');
  }
  const { ms, note } = inZone(utc, timeZone);
  return checked(ms, `a date in ${timeZone}${note}`);
}

/**
 * Returns the point in time at which clocks in the zone show the local time. `local` is the local time as if it were
 * UTC. Of a time that occurs twice, the first is used. A time that clocks skip is moved forward by the skipped hour
 * (RFC 5545, section 3.3.5).
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
  return { ms: first.ms, note: isTwice ? ', the first of two times with this name' : '' };
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
    throw badRequest('The date is out of range. Enter one within 275,000 years of 1970.', 'value');
  return { ms: Math.trunc(ms), readAs };
}

const DAY_MS = 86_400_000;

/** Returns the difference between the zone's local time and UTC in milliseconds. It is positive east of Greenwich. */
function offsetAt(ms: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(ms);
  const at = (type: string) => Number(parts.find((part) => part.type === type)!.value);
  const date = [at('year'), at('month') - 1, at('day')] as const;
  const local = Date.UTC(...date, at('hour'), at('minute'), at('second'));
  return local - Math.floor(ms / 1000) * 1000;
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
  const minutes = Math.round(Math.abs(offset) / 60_000);
  const two = (number: number) => String(Math.floor(number)).padStart(2, '0');
  const sign = offset < 0 ? '-' : '+';
  return `${local.toISOString().slice(0, -1)}${sign}${two(minutes / 60)}:${two(minutes % 60)}`;
}
