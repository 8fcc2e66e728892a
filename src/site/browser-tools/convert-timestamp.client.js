/** convert_timestamp in the browser: reads a moment, shows it in every notation and zone. */

const value = document.getElementById('value');
const zone = document.getElementById('zone');
const result = document.getElementById('result');
const problem = document.getElementById('problem');

const UNITS = [
  [11, 's', 1000n],
  [14, 'ms', 1n],
  [17, 'µs', 1000n],
  [Number.POSITIVE_INFINITY, 'ns', 1000000n],
];

/** Milliseconds since 1970, and what the text was read as. Throws an Error that is meant for its reader. */
function read(text, timeZone) {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.toLowerCase() === 'now') return { ms: Date.now(), as: 'now' };
  const number = /^([+-]?)(\d+)(\.\d+)?$/.exec(trimmed);
  if (number) {
    const digits = number[2].replace(/^0+(?=\d)/, '');
    const [, unit, factor] = UNITS.find(([most]) => digits.length <= most);
    const whole = BigInt(number[1] + digits);
    if (unit === 's')
      return checked(
        Number(whole) * 1000 + Number(`${number[1]}0${number[3] ?? ''}`) * 1000,
        'seconds',
      );
    return checked(
      Number(whole / factor),
      { ms: 'milliseconds', µs: 'microseconds', ns: 'nanoseconds' }[unit],
    );
  }
  const date =
    /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(\.\d+)?)?)?\s*(Z|[+-]\d\d:?\d\d)?$/i.exec(
      trimmed,
    );
  if (!date)
    throw new Error('Give Unix time, or a date such as 2026-11-21 or 2026-11-21T09:30:00Z.');
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', offset] =
    date;
  const plain = `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction.slice(0, 4)}`;
  const utc = Date.parse(`${plain}Z`);
  // 31 February would quietly be March.
  if (Number.isNaN(utc) || new Date(utc).getUTCDate() !== Number(day))
    throw new Error(`There is no such date as ${trimmed}.`);
  if (offset) {
    const colon = offset.toUpperCase() === 'Z' ? 'Z' : `${offset.slice(0, 3)}:${offset.slice(-2)}`;
    return checked(Date.parse(plain + colon), 'ISO 8601');
  }
  // The offset of the zone at about that moment, then at the moment found with it.
  const first = utc - offsetAt(utc, timeZone);
  return checked(utc - offsetAt(first, timeZone), `a date in ${timeZone}`);
}

function checked(ms, as) {
  if (Number.isNaN(new Date(ms).getTime()))
    throw new Error('This is further away than the 275,000 years that dates reach.');
  return { ms: Math.trunc(ms), as };
}

/** Milliseconds that the zone's clocks are ahead of UTC. */
function offsetAt(ms, timeZone) {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    ...{
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    },
  }).formatToParts(ms);
  const at = (type) => Number(parts.find((part) => part.type === type).value);
  const local = Date.UTC(
    at('year'),
    at('month') - 1,
    at('day'),
    at('hour'),
    at('minute'),
    at('second'),
  );
  return local - Math.floor(ms / 1000) * 1000;
}

function relative(ms) {
  const seconds = (ms - Date.now()) / 1000;
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  for (const [unit, length] of [
    ['year', 31556952],
    ['month', 2629746],
    ['day', 86400],
    ['hour', 3600],
    ['minute', 60],
  ]) {
    if (Math.abs(seconds) >= length) return format.format(Math.trunc(seconds / length), unit);
  }
  return format.format(Math.trunc(seconds), 'second');
}

function update() {
  try {
    const timeZone = zone.value.trim() || 'UTC';
    let shown;
    try {
      shown = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'full', timeStyle: 'long' });
    } catch {
      throw new Error(`There is no time zone ${timeZone}. Give one such as Europe/Berlin.`);
    }
    const { ms, as } = read(value.value, timeZone);
    const date = new Date(ms);
    rows([
      ['Read as', as],
      ['Unix, seconds', String(Math.floor(ms / 1000))],
      ['Unix, milliseconds', String(ms)],
      ['ISO 8601', date.toISOString()],
      ['UTC', date.toUTCString()],
      ...(timeZone === 'UTC' ? [] : [[timeZone, shown.format(date)]]),
      ['From now', relative(ms)],
    ]);
    say('');
  } catch (error) {
    result.replaceChildren();
    say(error.message);
  }
}

function say(message) {
  problem.textContent = message;
  problem.hidden = message === '';
}

function rows(pairs) {
  result.replaceChildren(
    ...pairs.flatMap(([name, content]) => {
      const term = document.createElement('dt');
      term.textContent = name;
      const description = document.createElement('dd');
      description.textContent = content;
      return [term, description];
    }),
  );
}

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')];
document.getElementById('zones').append(...zones.map((name) => new Option(name)));
// What was entered before this script was there stays.
zone.value ||= Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
value.value ||= String(Math.floor(Date.now() / 1000));
document.getElementById('form').addEventListener('submit', (event) => event.preventDefault());
document.getElementById('form').addEventListener('input', update);
document.getElementById('now').addEventListener('click', () => {
  value.value = String(Math.floor(Date.now() / 1000));
  update();
});
update();
