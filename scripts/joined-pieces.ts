/**
 * Forwards a request body. Chunks that arrive together are joined into one write, because the fixed cost of a write
 * exceeds the cost of a small chunk.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { hold, release } from './held-sockets.ts';

/** The size of Node's read buffer for a connection, in bytes. */
const WRITE_BYTES = 64 * 1024;
/**
 * The number of chunks to join at once. Each buffered chunk takes 500 bytes of memory, and the chunks of all
 * connections may be buffered at the same time.
 */
const JOINED_PIECES = 64;
/** The number of chunks per write above which Node spends more time parsing than forwarding. */
const MANY_PIECES = 500;

export class JoinedPieces {
  readonly #from: IncomingMessage;
  readonly #onMany: () => void;
  #to: ClientRequest | undefined;
  #joined: Buffer[] = [];
  /** The chunks that are not joined yet. */
  #pieces: Buffer[] = [];
  /** The number of chunks since the last write. Their total size is `#bytes`. */
  #count = 0;
  #bytes = 0;
  #hasEnded = false;
  #isStopped = false;

  /**
   * Buffers the body until `forwardTo` is called.
   * @param onMany called when many chunks arrive together
   */
  constructor(from: IncomingMessage, onMany: () => void) {
    this.#from = from;
    this.#onMany = onMany;
    from.on('data', (piece: Buffer) => this.#add(piece));
    from.on('end', () => {
      this.#hasEnded = true;
      this.#write();
      this.#readOn();
    });
    from.on('close', this.#readOn);
  }

  forwardTo(to: ClientRequest): void {
    this.#to = to;
    to.on('drain', this.#readOn);
    this.#write();
    if (!to.writableNeedDrain) this.#readOn();
  }

  /** Discards the rest of the body. */
  stop(): void {
    this.#isStopped = true;
    this.#take();
    this.#readOn();
  }

  #add(piece: Buffer): void {
    if (this.#isStopped) return;
    this.#pieces.push(piece);
    this.#count += 1;
    this.#bytes += piece.length;
    if (this.#pieces.length >= JOINED_PIECES) this.#join();
    if (this.#bytes >= WRITE_BYTES) this.#write();
    else if (this.#count === 1) setImmediate(this.#write);
  }

  readonly #write = (): void => {
    const to = this.#to;
    if (this.#isStopped || to?.destroyed) return;
    if (!to) {
      this.#wait();
      return;
    }
    if (this.#bytes > 0) {
      if (this.#count > MANY_PIECES) this.#onMany();
      if (!to.write(this.#take())) this.#wait();
    }
    if (this.#hasEnded) to.end();
  };

  #join(): void {
    this.#joined.push(Buffer.concat(this.#pieces));
    this.#pieces = [];
  }

  #take(): Buffer {
    const all = [...this.#joined, ...this.#pieces];
    this.#joined = [];
    this.#pieces = [];
    this.#count = 0;
    this.#bytes = 0;
    return all.length === 1 ? all[0]! : Buffer.concat(all);
  }

  /**
   * Pauses the connection, not only the request: a paused request still buffers the chunks that Node has already
   * parsed.
   */
  #wait(): void {
    if (!this.#hasEnded) hold(this.#from.socket, this);
  }

  readonly #readOn = (): void => release(this.#from.socket, this);
}
