/** convert_timestamp in the browser: reads a moment and shows it in every notation and time zone. */
import { byId, make, showMessage } from './parts/elements.ts';
import { errorText } from './parts/error-text.ts';

interface Moment {
  /** Milliseconds since 1970. */
  ms: number;
  /** How the text was understood. */
  readAs: string;
}

const value = byId<HTMLInputElement>('value');
const zone = byId<HTMLInputElement>('zone');
const form = byId('form');

/** Units of Unix time by the largest number of digits. */
const UNITS = [
  { maxDigits: 11, name: 'seconds', perMs: undefined },
  { maxDigits: 14, name: 'milliseconds', perMs: 1n },
  { maxDigits: 17, name: 'microseconds', perMs: 1000n },
  { maxDigits: Number.POSITIVE_INFINITY, name: 'nanoseconds', perMs: 1_000_000n },
] as const;

const DATE =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(\.\d+)?)?)?\s*(Z|[+-]\d\d:?\d\d)?$/i;

/** The moment that the text names. Throws an Error whose message is for the visitor. */
function read(text: string, timeZone: string): Moment {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.toLowerCase() === 'now') return { ms: Date.now(), readAs: 'now' };
  const number = /^([+-]?)(\d+)(\.\d+)?$/.exec(trimmed);
  if (number) return readNumber(number[1]!, number[2]!, number[3]);
  const date = DATE.exec(trimmed);
  if (!date)
    throw new Error('Enter Unix time, or a date such as 2026-11-21 or 2026-11-21T09:30:00Z.');
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', offset] =
    date;
  const plain = `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction.slice(0, 4)}`;
  const utc = Date.parse(`${plain}Z`);
  // Date.parse reads 31 February as 3 March.
  if (Number.isNaN(utc) || new Date(utc).getUTCDate() !== Number(day))
    throw new Error(`The date ${trimmed} does not exist.`);
  if (offset) {
    const colon = offset.toUpperCase() === 'Z' ? 'Z' : `${offset.slice(0, 3)}:${offset.slice(-2)}`;
    return checked(Date.parse(plain + colon), 'ISO 8601');
  }
  // The second step corrects the offset if the clocks change in between.
  const first = utc - offsetAt(utc, timeZone);
  return checked(utc - offsetAt(first, timeZone), `a date in ${timeZone}`);
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
    throw new Error('The date is out of range. Enter one within 275,000 years of 1970.');
  return { ms: Math.trunc(ms), readAs };
}

/** Milliseconds by which the zone's clocks are ahead of UTC. */
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

function update(): void {
  try {
    byId('result').replaceChildren(...rows());
    showMessage(byId('problem'), '');
  } catch (error) {
    byId('result').replaceChildren();
    showMessage(byId('problem'), errorText(error));
  }
}

function rows(): HTMLElement[] {
  const timeZone = zone.value.trim() || 'UTC';
  const local = formatIn(timeZone);
  const { ms, readAs } = read(value.value, timeZone);
  const date = new Date(ms);
  const pairs = [
    ['Read as', readAs],
    ['Unix, seconds', String(Math.floor(ms / 1000))],
    ['Unix, milliseconds', String(ms)],
    ['ISO 8601', date.toISOString()],
    ['UTC', date.toUTCString()],
    ...(timeZone === 'UTC' ? [] : [[timeZone, local.format(date)]]),
    ['From now', fromNow(ms)],
  ] as [string, string][];
  return pairs.flatMap(([name, text]) => [
    make('dt', { textContent: name }),
    make('dd', { textContent: text }),
  ]);
}

function formatIn(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'full', timeStyle: 'long' });
  } catch {
    throw new Error(`There is no time zone ${timeZone}. Enter one such as Europe/Berlin.`);
  }
}

const nowInSeconds = () => String(Math.floor(Date.now() / 1000));

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')];
byId('zones').append(...zones.map((name) => new Option(name)));
// The visitor may have entered values before this script ran.
zone.value ||= Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
value.value ||= nowInSeconds();
form.addEventListener('submit', (event) => event.preventDefault());
form.addEventListener('input', update);
byId('now').addEventListener('click', () => {
  value.value = nowInSeconds();
  update();
});
update();
