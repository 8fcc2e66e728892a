/**
 * Moves the focus when an arrow key is pressed: from the search field to its first result, between the results, and
 * from the first result back to the field. If the page marks a result while the field has the focus, the focus moves
 * from the marked result.
 */
export function moveFocus(
  event: KeyboardEvent,
  input: HTMLInputElement,
  results: readonly HTMLElement[],
  marked?: HTMLElement | null,
): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || results.length === 0) return;
  event.preventDefault();
  const focused = document.activeElement as HTMLElement;
  const current = focused === input ? marked : focused;
  const index = (current ? results.indexOf(current) : -1) + step;
  (index < 0 ? input : results[Math.min(index, results.length - 1)]!).focus();
}
