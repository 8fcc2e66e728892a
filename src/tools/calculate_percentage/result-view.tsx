/**
 * Shows the number that calculate_percentage returns, in large type. A change is a quotient, of which a double-precision
 * number has 15 correct digits.
 */
export function resultView({ result, unit }: { result: number; unit?: string | undefined }) {
  return (
    <p class="big">{unit === 'percent' ? `${Number(result.toPrecision(15))} %` : String(result)}</p>
  );
}
