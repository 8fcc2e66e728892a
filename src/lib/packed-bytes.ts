/** Collects bytes in blocks, so that many small pieces use no more memory than a few large ones. */
import { joinBytes } from './join-bytes.ts';

/**
 * The size up to which new blocks grow, in bytes. The first blocks are small, so that a few bytes take little memory.
 */
const BLOCK_BYTES = 64 * 1024;

export class PackedBytes {
  readonly #blocks: Uint8Array<ArrayBuffer>[] = [];
  /** The number of free bytes at the end of the last block. */
  #capacity = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Copies the bytes, so the caller may reuse `piece`. */
  append(piece: Uint8Array): void {
    const last = this.#blocks.at(-1);
    const fitting = piece.subarray(0, this.#capacity);
    last?.set(fitting, last.length - this.#capacity);
    this.#capacity -= fitting.length;
    const rest = piece.subarray(fitting.length);
    if (rest.length > 0) {
      const block = new Uint8Array(Math.max(rest.length, Math.min(this.#size, BLOCK_BYTES)));
      block.set(rest);
      this.#blocks.push(block);
      this.#capacity = block.length - rest.length;
    }
    this.#size += piece.length;
  }

  /** Returns the bytes in blocks. No two blocks share memory. */
  blocks(): Uint8Array<ArrayBuffer>[] {
    const blocks = [...this.#blocks];
    const last = blocks.pop();
    if (last) blocks.push(last.subarray(0, last.length - this.#capacity));
    return blocks;
  }

  /** Returns the bytes in one array. */
  join(): Uint8Array<ArrayBuffer> {
    return joinBytes(this.blocks(), this.#size);
  }
}
