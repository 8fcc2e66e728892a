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
    const count = expression.split(/\s+/).filter(Boolean).length;
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
      ...Object.fromEntries(runs.map((date, at) => [`Run ${at + 1}`, format.format(date)])),
      ...(runs.length === 0 && { 'Next runs': 'none' }),
    });
  },
});
