/** Explains the expression with cronstrue, and computes the runs with croner. */
import { Cron } from 'croner';
import { toString as inWords } from 'cronstrue';
import { defineTool } from '../../core/define-tool.ts';
import { badRequest } from '../../core/errors.ts';
import { json } from '../../core/tool-output.ts';
import { momentFormat } from '../moment-format.ts';
import { explainCron } from './explain_cron.ts';

const RUNS = 5;
const STYLE = { use24HourTimeFormat: true, verbose: true };

interface Field {
  name: string;
  low: string;
  high: string;
  /** The names of the lowest and the highest value. */
  names?: [low: string, high: string];
}

const FIELDS: readonly Field[] = [
  { name: 'second', low: '0', high: '59' },
  { name: 'minute', low: '0', high: '59' },
  { name: 'hour', low: '0', high: '23' },
  { name: 'day of the month', low: '1', high: '31' },
  { name: 'month', low: '1', high: '12', names: ['JAN', 'DEC'] },
  { name: 'weekday', low: '0', high: '6', names: ['SUN', 'SAT'] },
];

/** Matches a weekday field. It is the sixth field if the expression begins with seconds. */
const WEEKDAYS = /^(?![/#,+-])(?:[\d*?/#,+L-]|SUN|MON|TUE|WED|THU|FRI|SAT)+$/i;

export const explainCronHere = defineTool({
  ...explainCron,
  run({ expression, timeZone }) {
    const format = momentFormat(timeZone);
    const { fields, command } = crontabLine(expression);
    const ignored = command && {
      'Read as': `${fields[0]?.startsWith('@') ? 'A schedule' : 'Five fields'} and the command ${command}`,
    };
    if (fields[0]?.toLowerCase() === '@reboot')
      return json({
        Meaning: 'Each time that cron starts, usually when the machine boots',
        'Next runs': 'No times to list, because the runs do not depend on the clock',
        ...ignored,
      });
    if (!fields[0]?.startsWith('@') && (fields.length < 5 || fields.length > 6))
      throw badRequest(
        `A cron expression has five fields, or six with seconds, but this one has ${fields.length}.`,
        'expression',
      );
    const pattern = fields.join(' ');
    let runs: Date[];
    let meaning: string;
    try {
      runs = new Cron(pattern, timeZone ? { timezone: timeZone } : {}).nextRuns(RUNS);
      meaning = inWords(pattern, STYLE);
    } catch (error) {
      throw badRequest(
        faultIn(fields) ?? `The expression is invalid: ${reason(error)}.`,
        'expression',
      );
    }
    const note = noteOnDays(fields);
    return json({
      // cronstrue joins the day of the month and the weekday with "and".
      Meaning: note.Note ? meaning.replace(', and on ', ', or on ') : meaning,
      ...note,
      ...Object.fromEntries(runs.map((date, at) => [`Run ${at + 1}`, format.format(date)])),
      ...(runs.length === 0 && { 'Next runs': 'None, because this date never occurs' }),
      ...ignored,
    });
  },
});

/** Splits a crontab line into the fields of the schedule and the command. The command is empty in a bare expression. */
function crontabLine(line: string): { fields: string[]; command: string } {
  const words = line.split(/\s+/).filter(Boolean);
  let count = words[0]?.startsWith('@') ? 1 : 5;
  if (count === 5) while (WEEKDAYS.test(words[count] ?? '')) count++;
  return { fields: words.slice(0, count), command: words.slice(count).join(' ') };
}

/**
 * Describes the fault in the first invalid field. Returns undefined if each entry of each field is valid on its own.
 */
function faultIn(fields: string[]): string | undefined {
  if (fields[0]?.startsWith('@'))
    return `${fields[0]} is unknown. Use @hourly, @daily, @weekly, @monthly, @yearly or @reboot.`;
  for (const [index, field] of fields.entries()) {
    for (const entry of field.split(',')) {
      try {
        const pattern = fields.map((_, at) => (at === index ? entry : '*')).join(' ');
        new Cron(pattern);
        inWords(pattern, STYLE);
      } catch (error) {
        return faultOf(field, entry, FIELDS.at(index - fields.length)!, reason(error));
      }
    }
  }
  return undefined;
}

function faultOf(field: string, entry: string, { name, low, high, names }: Field, why: string) {
  const [, from, to] = /^(\w+)-(\w+)/.exec(entry.toUpperCase()) ?? [];
  if (from && to && why.startsWith('From value')) {
    if (entry.includes('/')) return `The ${name} range ${entry} goes backward. Write two ranges.`;
    const [first, last] = names && /[A-Z]/.test(from) ? names : [low, high];
    const range = (start: string, end: string) => (start === end ? start : `${start}-${end}`);
    return `The ${name} range ${entry} goes backward. Write ${range(from, last)},${range(first, to)} instead.`;
  }
  if (why.includes('step')) return `The ${name} ${field} is invalid: ${why}.`;
  const values = names ? `${low} to ${high} or ${names.join(' to ')}` : `${low} to ${high}`;
  return `The ${name} ${field} is invalid. Use *, or values from ${values}.`;
}

/** Returns the reason from a library's error, without its prefix and period. */
const reason = (error: unknown) =>
  String(error).replace(/^[\s\w]*Error: |\bCronPattern: |\bSyntax error, |\.$/g, '');

/** Explains how cron combines the day of the month with the weekday, if the expression restricts both. */
function noteOnDays(fields: string[]): { Note?: string } {
  const days = [fields.at(-3), fields.at(-1)];
  if (fields.length < 5 || days.some((field) => field === '*' || field === '?')) return {};
  const either =
    'The day of the month and the weekday are both set. The job runs on days that match either.';
  // Vixie cron and Debian's cron treat `*/2` like `*`.
  const isDisputed = days.some((field) => field?.startsWith('*'));
  return {
    Note: isDisputed
      ? `${either} Some cron implementations require both if one of them starts with *.`
      : either,
  };
}
