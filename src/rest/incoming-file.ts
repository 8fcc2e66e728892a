/** Receives a file. Holds it in memory up to a limit, and writes it to storage beyond that limit. */
import { HEAD_BYTES, type InputFile, memoryFile } from '../core/input-file.ts';
import type { Spool, SpooledFile, SpoolPort } from '../core/ports.ts';
import { PackedBytes } from '../lib/packed-bytes.ts';
import { servedType } from './served-type.ts';

interface Arriving {
  name: string;
  declaredType: string | undefined;
  /** The maximum number of bytes that are held in memory. */
  memoryBytes: number;
  /** An upper bound on the remaining bytes of the body, if known. */
  remainingBytes(): number | undefined;
  spooling: SpoolPort;
}

export class IncomingFile {
  readonly arriving: Arriving;
  size = 0;
  #content = new PackedBytes();
  #spool: Spool | undefined;

  constructor(arriving: Arriving) {
    this.arriving = arriving;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.size += bytes.byteLength;
    if (this.#spool) {
      await this.#spool.write(bytes);
      return;
    }
    this.#content.append(bytes);
    if (this.size > this.arriving.memoryBytes) await this.#toStorage();
  }

  async finish(): Promise<InputFile | SpooledFile> {
    const { name, declaredType } = this.arriving;
    if (this.#spool) return this.#spool.finish(name, declaredType);
    return memoryFile(name, this.#content.join(), declaredType);
  }

  async abort(): Promise<void> {
    await this.#spool?.abort();
  }

  async #toStorage(): Promise<void> {
    const { name, declaredType, spooling, remainingBytes } = this.arriving;
    const head = this.#content.join();
    this.#content = new PackedBytes();
    const contentType = await servedType(head.subarray(0, HEAD_BYTES), declaredType, name);
    this.#spool = spooling.spool({ filename: name, contentType }, remainingBytes());
    await this.#spool.write(head);
  }
}
