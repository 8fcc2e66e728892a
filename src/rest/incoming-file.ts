/** An arriving file: in memory up to a limit, in storage beyond it. */
import { HEAD_BYTES, type InputFile, memoryFile } from '../core/input-file.ts';
import type { Spool, SpooledFile, SpoolPort } from '../core/ports.ts';
import { PackedBytes } from '../lib/packed-bytes.ts';
import { servedType } from '../lib/served-type.ts';

export class IncomingFile {
  readonly name: string;
  /** Whether its name is empty, as a form's file field without a chosen file sends it. */
  readonly unnamed: boolean;
  size = 0;
  readonly #spooling: SpoolPort;
  readonly #memoryBytes: number;
  readonly #toCome: () => number | undefined;
  readonly #declaredType: string | undefined;
  #content = new PackedBytes();
  #spool: Spool | undefined;

  constructor(
    spooling: SpoolPort,
    memoryBytes: number,
    toCome: () => number | undefined,
    name: string,
    declaredType: string | undefined,
    unnamed: boolean,
  ) {
    this.#spooling = spooling;
    this.#memoryBytes = memoryBytes;
    this.#toCome = toCome;
    this.name = name;
    this.#declaredType = declaredType;
    this.unnamed = unnamed;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.size += bytes.byteLength;
    if (this.#spool) {
      await this.#spool.write(bytes);
      return;
    }
    this.#content.append(bytes);
    if (this.size > this.#memoryBytes) await this.#toStorage();
  }

  async finish(): Promise<InputFile | SpooledFile> {
    if (this.#spool) return this.#spool.finish(this.name, this.#declaredType);
    return memoryFile(this.name, this.#content.join(), this.#declaredType);
  }

  async abort(): Promise<void> {
    await this.#spool?.abort();
  }

  async #toStorage(): Promise<void> {
    const head = this.#content.join();
    this.#content = new PackedBytes();
    const contentType = await servedType(
      head.subarray(0, HEAD_BYTES),
      this.#declaredType,
      this.name,
    );
    this.#spool = this.#spooling.spool({ filename: this.name, contentType }, this.#toCome());
    await this.#spool.write(head);
  }
}
