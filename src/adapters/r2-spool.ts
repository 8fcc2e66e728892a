/**
 * Writes an incoming file to R2 in a multipart upload. If the size of the body is known, parts that will be full are
 * streamed, and only the last part is buffered, so that four simultaneous uploads of 50 MB need little memory. A file
 * may end within a streamed part, for example if another file follows in the body. The part is then padded with zeros,
 * and readers use the file's recorded size.
 */
import { HEAD_BYTES } from '../core/input-file.ts';
import type { ByteReservation } from '../core/stored-bytes.ts';
import { PackedBytes } from '../lib/packed-bytes.ts';
import { withTimeLimit } from './storage-time.ts';

/**
 * The size of a part, in bytes. R2 requires all parts except the last to be at least 5 MiB and to have the same size.
 */
export const PART_BYTES = 5 * 2 ** 20;

export interface Written {
  object: R2Object;
  head: Uint8Array;
  /** The size of the file in bytes, without padding. */
  size: number;
}

interface StreamedPart {
  writer: WritableStreamDefaultWriter<Uint8Array>;
  uploaded: Promise<R2UploadedPart>;
  capacity: number;
}

export class R2Spool {
  readonly #bucket: R2Bucket;
  readonly #key: string;
  readonly #options: R2PutOptions;
  readonly #reservation: ByteReservation;
  readonly #parts: R2UploadedPart[] = [];
  readonly #head = new Uint8Array(HEAD_BYTES);
  #upload: R2MultipartUpload | undefined;
  #part: StreamedPart | undefined;
  #waiting = new PackedBytes();
  #size = 0;
  /** Whether storage has failed. After a failure, `abort` does not pad the open part. */
  #failed = false;
  /** An upper bound on the bytes that are still to arrive. */
  #remainingBytes: number;

  /**
   * @param atMost the number of bytes left in the request's body, if known
   * @param reservation reserves the bytes of each part before it is written
   */
  constructor(
    bucket: R2Bucket,
    key: string,
    options: R2PutOptions,
    atMost: number | undefined,
    reservation: ByteReservation,
  ) {
    this.#reservation = reservation;
    this.#bucket = bucket;
    this.#key = key;
    this.#options = options;
    this.#remainingBytes = atMost ?? 0;
  }

  async write(chunk: Uint8Array): Promise<void> {
    if (this.#size < HEAD_BYTES)
      this.#head.set(chunk.subarray(0, HEAD_BYTES - this.#size), this.#size);
    this.#size += chunk.byteLength;
    for (let rest = chunk; rest.byteLength > 0; ) {
      if (!this.#part && this.#waiting.size === 0 && this.#remainingBytes >= PART_BYTES) {
        await this.#openPart(PART_BYTES);
      }
      const piece = rest.subarray(0, this.#part?.capacity ?? PART_BYTES - this.#waiting.size);
      rest = rest.subarray(piece.byteLength);
      this.#remainingBytes -= piece.byteLength;
      if (this.#part) await this.#stream(this.#part, piece);
      else await this.#wait(piece);
    }
  }

  async finish(): Promise<Written> {
    const part = this.#part;
    if (part) await this.#stream(part, new Uint8Array(part.capacity));
    const head = this.#head.slice(0, this.#size);
    if (!this.#upload) {
      const last = this.#waiting.join();
      await this.#reservation.add(last.byteLength);
      const object = await withTimeLimit(this.#bucket.put(this.#key, last, this.#options));
      return { object, head, size: this.#size };
    }
    if (this.#waiting.size > 0) await this.#uploadWaiting();
    const object = await withTimeLimit(this.#upload.complete(this.#parts));
    return { object, head, size: this.#size };
  }

  /**
   * Deletes the data written so far and releases its bytes. Never throws. An open part is padded first, because
   * Miniflare does not delete the bytes of an incomplete part.
   */
  async abort(): Promise<void> {
    const part = this.#part;
    if (part && !this.#failed)
      await this.#stream(part, new Uint8Array(part.capacity)).catch(() => {});
    if (this.#upload) await withTimeLimit(this.#upload.abort()).catch(() => {});
    await this.#reservation.release();
  }

  async #openPart(size: number): Promise<StreamedPart> {
    await this.#reservation.add(size);
    const { readable, writable } = new FixedLengthStream(size);
    const upload = await this.#begin();
    const uploaded = upload.uploadPart(this.#parts.length + 1, readable);
    // The upload of the part is awaited when the part is full. If it fails earlier, the next write reports the failure.
    uploaded.catch(() => {});
    this.#part = { writer: writable.getWriter(), uploaded, capacity: size };
    return this.#part;
  }

  async #stream(part: StreamedPart, piece: Uint8Array): Promise<void> {
    try {
      await withTimeLimit(part.writer.write(piece), part.uploaded);
    } catch (error) {
      this.#failed = true;
      throw error;
    }
    part.capacity -= piece.byteLength;
    if (part.capacity > 0) return;
    await withTimeLimit(part.writer.close(), part.uploaded);
    this.#parts.push(await withTimeLimit(part.uploaded));
    this.#part = undefined;
  }

  async #wait(piece: Uint8Array): Promise<void> {
    this.#waiting.append(piece);
    if (this.#waiting.size === PART_BYTES) await this.#uploadWaiting();
  }

  async #uploadWaiting(): Promise<void> {
    const part = await this.#openPart(this.#waiting.size);
    for (const block of this.#waiting.blocks()) {
      await this.#stream(part, block);
      // The memory is freed explicitly, because the garbage collector may run much later.
      block.buffer.transfer(0);
    }
    this.#waiting = new PackedBytes();
  }

  async #begin(): Promise<R2MultipartUpload> {
    this.#upload ??= await withTimeLimit(
      this.#bucket.createMultipartUpload(this.#key, this.#options),
    );
    return this.#upload;
  }
}
