/**
 * calculate_percentage: computes four kinds of percentages in decimal arithmetic, so that 0.1 plus 10 percent is 0.11.
 */
import { Decimal } from 'decimal.js';
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';
import { badRequest } from '../../core/errors.ts';
import { json } from '../../core/tool-output.ts';

// The longest exact sum, 1.7e308 + 5e-324, has 633 digits, so only quotients are rounded. Their error is far below the
// last digit of a double.
const Exact = Decimal.clone({ precision: 1400 });

type Operation = 'of' | 'increase' | 'decrease' | 'change';

export const calculatePercentage = defineTool({
  name: 'calculate_percentage',
  title: 'Calculate percentage',
  shortName: 'Calculate',
  kind: 'data',
  icon: 'percent',
  domain: 'dev',
  description:
    'Exact percentage calculations. "of": value1 percent of value2. "increase": value1 raised by value2 percent. "decrease": value1 reduced by value2 percent. "change": the percentage change from value1 to value2 (value1 must not be 0).',
  input: z.strictObject({
    operation: z.enum(['of', 'increase', 'decrease', 'change']).describe('The calculation.'),
    value1: z.number().describe('A finite number.'),
    value2: z.number().describe('A finite number.'),
  }),
  output: z.object({
    operation: z.string().describe('The operation that was performed.'),
    result: z
      .number()
      .describe('The exact result, rounded to the nearest double-precision number.'),
    unit: z.literal('percent').optional().describe('Present only for "change".'),
  }),
  resultView: () => import('./result-view.tsx'),
  example: { parameters: { operation: 'increase', value1: 80, value2: 15 } },
  form: {
    operation: {
      label: 'Calculate',
      help: '',
      choices: {
        of: 'First % of second',
        increase: 'First plus second %',
        decrease: 'First minus second %',
        change: 'Percentage change',
      },
    },
    value1: { label: 'First number', help: '', control: 'decimal' },
    value2: { label: 'Second number', help: '', control: 'decimal' },
  },
  synonyms: ['percent', 'discount', 'tax', 'vat', 'increase', 'ratio', 'tip'],
  access: 'anyone',
  limits: [],
  surfaces: ['rest', 'mcp', 'chain'],
  annotations: { readOnly: true, idempotent: true, openWorld: false, destructive: false },
  needs: [],
  run({ operation, value1, value2 }, { warn }) {
    if ([value1, value2].some((value) => Math.abs(value) > Number.MAX_SAFE_INTEGER))
      warn(`Numbers beyond ${Number.MAX_SAFE_INTEGER} have only about 16 exact digits.`);
    if (operation === 'change' && value1 < 0)
      warn('The first number is negative, so an increase gives a negative percentage.');
    if (operation === 'change' && value1 === 0) {
      throw badRequest(
        'The percentage change from 0 is undefined. Use another first number.',
        'value1',
      );
    }
    const exact = calculate(operation, new Exact(value1), new Exact(value2));
    const result = exact.toNumber();
    if (!Number.isFinite(result) || (result === 0 && !exact.isZero())) {
      throw badRequest(
        `The result, about ${exact.toPrecision(3)}, is outside the range of double-precision numbers (5e-324 to 1.8e308). Use values closer to 1.`,
      );
    }
    // Converts -0 to 0, because `-0` would be confusing in a result.
    const plain = result === 0 ? 0 : result;
    return json(
      operation === 'change'
        ? { operation, result: plain, unit: 'percent' }
        : { operation, result: plain },
    );
  },
});

function calculate(operation: Operation, value1: Decimal, value2: Decimal): Decimal {
  switch (operation) {
    case 'of':
      return value1.times(value2).div(100);
    case 'increase':
      return value1.times(value2.plus(100)).div(100);
    case 'decrease':
      return value1.times(new Exact(100).minus(value2)).div(100);
    case 'change':
      return value2.minus(value1).times(100).div(value1);
  }
}
