/**
 * Shows the number that calculate_percentage returns, in large type. A percentage change is a quotient, whose digits may
 * not end, so it is rounded to twelve of them.
 */
export function resultView({ result, unit }: { result: number; unit?: string | undefined }) {
  return (
    <p class="big">
      {unit === 'percent' ? `${Number(result.toPrecision(12))}\u00a0%` : String(result)}
    </p>
  );
}
