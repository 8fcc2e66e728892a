/** Shows a progress bar on stderr if stderr is a terminal. */
const WIDTH = 24;

export class ProgressBar {
  readonly #shares: number[];
  readonly #stream = process.stderr;

  constructor(count: number) {
    this.#shares = Array(count).fill(0);
  }

  /** Updates the progress of one call. `share` is a number from 0 to 1. */
  set(index: number, share: number, label: string): void {
    this.#shares[index] = share;
    if (!this.#stream.isTTY) return;
    const sum = this.#shares.reduce((total, each) => total + each, 0);
    const count = this.#shares.length;
    const filled = Math.round((sum / count) * WIDTH);
    const bar = '#'.repeat(filled).padEnd(WIDTH, '.');
    const number =
      count === 1
        ? `${Math.round(share * 100)} %`
        : `${this.#shares.filter((each) => each === 1).length}/${count}`;
    this.#stream.write(`\r\x1b[2K[${bar}] ${number} ${label.slice(-40)}`);
  }

  clear(): void {
    if (this.#stream.isTTY) this.#stream.write('\r\x1b[2K');
  }
}
