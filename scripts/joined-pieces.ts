/**
 * Forwards a request body. Chunks that arrive together are joined into one write, because a write costs more than the
 * bytes of a small chunk.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';

/** The size of the buffer with which Node reads from a connection. */
const WRITE_BYTES = 64 * 1024;
/** For more chunks than this in one write, Node spends more time on parsing than on forwarding. */
const MANY_PIECES = 500;

export class JoinedPieces {
  readonly #from: IncomingMessage;
  readonly #onMany: () => void;
  #to: ClientRequest | undefined;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #hasEnded = false;
  #isStopped = false;

  /**
   * Buffers what arrives until `forwardTo` is called.
   * @param onMany called when many chunks arrived together
   */
  constructor(from: IncomingMessage, onMany: () => void) {
    this.#from = from;
    this.#onMany = onMany;
    from.on('data', (piece: Buffer) => this.#add(piece));
    from.on('end', () => {
      this.#hasEnded = true;
      this.#write();
    });
  }

  forwardTo(to: ClientRequest): void {
    this.#to = to;
    to.on('drain', () => this.#from.resume());
    this.#from.resume();
    this.#write();
  }

  /** Forwards nothing more. */
  stop(): void {
    this.#isStopped = true;
    this.#pieces = [];
  }

  #add(piece: Buffer): void {
    if (this.#isStopped) return;
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    if (this.#bytes >= WRITE_BYTES) this.#write();
    else if (this.#pieces.length === 1) setImmediate(this.#write);
  }

  readonly #write = (): void => {
    const to = this.#to;
    if (this.#isStopped || to?.destroyed) return;
    if (!to) {
      this.#from.pause();
      return;
    }
    if (this.#bytes > 0) {
      if (this.#pieces.length > MANY_PIECES) this.#onMany();
      const joined = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces);
      this.#pieces = [];
      this.#bytes = 0;
      if (!to.write(joined)) this.#from.pause();
    }
    if (this.#hasEnded) to.end();
  };
}
