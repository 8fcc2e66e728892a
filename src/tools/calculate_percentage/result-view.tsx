/** Shows the result of calculate_percentage in large type, and other common percentages of the same numbers. */
import { Decimal } from 'decimal.js';
import type { ViewParts } from '../../core/result-view.ts';

/** A quotient may have infinitely many digits, so it is rounded to this number of digits. */
const DIGITS = 12;

interface Result {
  operation: string;
  result: number;
  unit?: string | undefined;
}

export function resultView(
  { operation, result, unit }: Result,
  { CopyList }: ViewParts,
  numbers?: { value1: number; value2: number },
) {
  return (
    <>
      <p class="big">
        <code>{unit === 'percent' ? percent(new Decimal(result)) : String(result)}</code>
      </p>
      <div class="actions">
        <button type="button" data-copy="">
          Copy
        </button>
      </div>
      {numbers && (
        <>
          <h3>Other percentages of these numbers</h3>
          <CopyList
            values={others(operation, new Decimal(numbers.value1), new Decimal(numbers.value2))}
          />
        </>
      )}
    </>
  );
}

/** Returns the other common percentages of two numbers, keyed by their descriptions. */
function others(operation: string, first: Decimal, second: Decimal): Record<string, string> {
  const share = (part: Decimal, whole: Decimal) => part.times(100).div(whole);
  const quotients: [string, Decimal][] = [
    [`${first} as a percentage of ${second}`, share(first, second)],
    [`${second} as a percentage of ${first}`, share(second, first)],
  ];
  if (operation !== 'change')
    quotients.push([`Change from ${first} to ${second}`, share(second.minus(first), first)]);
  return Object.fromEntries([
    ...quotients
      .filter(([, value]) => value.isFinite())
      .map(([text, value]) => [text, percent(value)]),
    ...(operation === 'of'
      ? []
      : [[`${first}\u00a0% of ${second}`, rounded(first.times(second).div(100))]]),
  ]);
}

const rounded = (value: Decimal) => String(value.toSignificantDigits(DIGITS));
const percent = (value: Decimal) => `${rounded(value)}\u00a0%`;
