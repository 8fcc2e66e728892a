/**
 * Moves the focus when an arrow key is pressed: from the search field to its first result, between the results, and
 * from the first result back to the field.
 */
export function moveFocus(
  event: KeyboardEvent,
  input: HTMLInputElement,
  results: readonly HTMLElement[],
): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || results.length === 0) return;
  event.preventDefault();
  const index = results.indexOf(document.activeElement as HTMLElement) + step;
  (index < 0 ? input : results[Math.min(index, results.length - 1)]!).focus();
}
