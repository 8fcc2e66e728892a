/** Asks for confirmation before the visitor leaves the page, if something would be lost. */

/** Prevents leaving the page without confirmation while `isAtRisk` returns true. */
export function warnBeforeLeaving(isAtRisk: () => boolean): void {
  addEventListener('beforeunload', (event) => {
    if (isAtRisk()) event.preventDefault();
  });
}
