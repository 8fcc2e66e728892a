/** Shows the number that calculate_percentage returns, in large type. */
export function resultView({ result, unit }: { result: number; unit?: string | undefined }) {
  return (
    <p class="big">
      {String(result)}
      {unit === 'percent' && ' %'}
    </p>
  );
}
