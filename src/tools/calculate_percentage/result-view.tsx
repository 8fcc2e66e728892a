/** The number that calculate_percentage returns, large. */
export function resultView({ result, unit }: { result: number; unit?: string | undefined }) {
  return (
    <p class="big">
      {String(result)}
      {unit === 'percent' && ' %'}
    </p>
  );
}
