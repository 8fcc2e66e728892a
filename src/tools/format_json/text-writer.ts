/** Builds long strings from many small pieces. */

import { NEWLINE, SPACE } from './json-tokens.ts';

/** Builds a long string from millions of small pieces without creating an object for each piece. */
export class TextWriter {
  private readonly block = new Uint16Array(8192);
  private used = 0;
  private text = '';

  copy(from: string, start: number, end: number) {
    if (end - start > 512) {
      this.flush();
      this.text += from.slice(start, end);
      return;
    }
    if (this.used + end - start > this.block.length) this.flush();
    for (let i = start; i < end; i++) this.block[this.used++] = from.charCodeAt(i);
  }

  write(piece: string) {
    this.copy(piece, 0, piece.length);
  }

  /** Writes a line feed and the given number of spaces. */
  writeBreak(spaces: number) {
    if (spaces >= 512) {
      this.flush();
      this.text += `\n${' '.repeat(spaces)}`;
      return;
    }
    if (this.used + spaces >= this.block.length) this.flush();
    this.block[this.used] = NEWLINE;
    this.block.fill(SPACE, this.used + 1, this.used + 1 + spaces);
    this.used += spaces + 1;
  }

  finish(): string {
    this.flush();
    return this.text;
  }

  private flush() {
    if (this.used === 0) return;
    // The engine stores one byte per character if all characters are Latin-1.
    this.text += String.fromCharCode.apply(
      null,
      this.block.subarray(0, this.used) as unknown as number[],
    );
    this.used = 0;
  }
}
