/** Decodes UTF-8 text as it arrives, so that a large body is in memory only as text. */

/** The number of bytes that are decoded at a time. The decoder needs several times as much memory. */
const BLOCK_BYTES = 64 * 1024;

export class Utf8Reader {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  readonly #block = new Uint8Array(BLOCK_BYTES);
  readonly #texts: string[] = [];
  /** The number of bytes in the block. */
  #filled = 0;

  /** Adds bytes, and does not retain `piece`. Throws if the bytes are not UTF-8. */
  append(piece: Uint8Array): void {
    for (let at = 0; at < piece.length; ) {
      const part = piece.subarray(at, at + BLOCK_BYTES - this.#filled);
      this.#block.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled === BLOCK_BYTES) this.#decode(true);
    }
  }

  /** Returns the whole text without a byte order mark. Throws if the text ends within a character. */
  finish(): string {
    this.#decode(false);
    return this.#texts.join('');
  }

  #decode(stream: boolean): void {
    this.#texts.push(this.#decoder.decode(this.#block.subarray(0, this.#filled), { stream }));
    this.#filled = 0;
  }
}
