/** Spaces out requests that arrive at once, so that workerd can handle other requests in between (ADR 57). */

/** workerd takes 2 to 3 ms to begin a large request. */
const SPACING_MS = 5;

/** Starts one request at a time in order, the next one `SPACING_MS` later. The first starts at once. */
export class PacedStarts {
  readonly #waiting: (() => boolean)[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** @param start returns false if its client has disconnected; the next request then starts at once */
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
