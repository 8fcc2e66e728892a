/** Spreads the work of many requests that arrive at once over time, so that other requests run in between (ADR 57). */

/** workerd needs 2 to 3 ms for the beginning of a large request. */
const SPACING_MS = 5;

/** Starts one request at a time in order, the next one `SPACING_MS` later. The first starts at once. */
export class PacedStarts {
  readonly #waiting: (() => boolean)[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** @param start returns false if its client has left, so that the next request does not wait for it */
  add(start: () => boolean): void {
    this.#waiting.push(start);
    if (!this.#timer) this.#next();
  }

  readonly #next = (): void => {
    this.#timer = undefined;
    for (let start = this.#waiting.shift(); start; start = this.#waiting.shift()) {
      if (!start()) continue;
      this.#timer = setTimeout(this.#next, SPACING_MS);
      return;
    }
  };
}
