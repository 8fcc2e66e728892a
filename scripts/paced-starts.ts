/** Spaces out requests that arrive at the same time, so that workerd can handle other requests in between (ADR 57). */

/**
 * The interval between two starts, in milliseconds. It exceeds the 2 to 3 ms that workerd takes to begin a large
 * request.
 */
const SPACING_MS = 5;

/** Starts queued requests in order, with a pause of `SPACING_MS` between them. The first one starts immediately. */
export class PacedStarts {
  readonly #waiting: (() => boolean)[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** @param start returns false if its client has disconnected; the next request then starts without a pause */
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
