/** Explains the expression with cronstrue, and computes the runs with croner. */
import { Cron } from 'croner';
import { toString as inWords } from 'cronstrue';
import { defineTool } from '../../core/define-tool.ts';
import { badRequest } from '../../core/errors.ts';
import { json } from '../../core/tool-output.ts';
import { momentFormat } from '../moment-format.ts';
import { explainCron } from './explain_cron.ts';

const RUNS = 5;

export const explainCronHere = defineTool({
  ...explainCron,
  run({ expression: given, timeZone }) {
    const expression = given.trim();
    const format = momentFormat(timeZone);
    if (expression.toLowerCase() === '@reboot')
      return json({
        Meaning: 'Once, each time that the machine (more precisely, cron) starts',
        'Next runs': 'No times to list, because the runs do not depend on the clock',
      });
    const fields = expression.split(/\s+/).filter(Boolean);
    const count = fields.length;
    if (!expression.startsWith('@') && (count < 5 || count > 6))
      throw badRequest(
        `A cron expression has five fields, or six with seconds, but this one has ${count}.`,
        'expression',
      );
    let runs: Date[];
    let meaning: string;
    try {
      runs = new Cron(expression, timeZone ? { timezone: timeZone } : {}).nextRuns(RUNS);
      meaning = inWords(expression, { use24HourTimeFormat: true, verbose: true });
    } catch (error) {
      const reason = String(error).replace(/^[\s\w]*Error: |\bCronPattern: /g, '');
      throw badRequest(`The expression is invalid: ${reason.replace(/\.?$/, '.')}`, 'expression');
    }
    return json({
      Meaning: meaning,
      ...noteOnDays(fields),
      ...Object.fromEntries(runs.map((date, at) => [`Run ${at + 1}`, format.format(date)])),
      ...(runs.length === 0 && { 'Next runs': 'None, because this date never occurs' }),
    });
  },
});

/** Explains how cron combines the day of the month with the weekday, if the expression restricts both. */
function noteOnDays(fields: string[]): { Note?: string } {
  const days = [fields.at(-3), fields.at(-1)];
  if (fields.length < 5 || days.some((field) => field === '*' || field === '?')) return {};
  const either =
    'The day of the month and the weekday are both set. The runs are on days that match either.';
  // Vixie cron, and Debian's, treat `*/2` like `*`.
  const isDisputed = days.some((field) => field?.startsWith('*'));
  return {
    Note: isDisputed ? `${either} Some crons require both if one of them starts with *.` : either,
  };
}
