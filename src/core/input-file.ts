/** An input file of a tool. Its bytes are in memory, in R2, or being uploaded to R2. */

export interface InputFile {
  /** The name that the caller gave the file, without a path. It appears in messages and in the names of results. */
  name: string;
  /** The size in bytes. */
  size: number;
  /**
   * The media type in lower case, without parameters: for an upload the type that the caller declared, for a link the
   * type of the response or of the stored file. Undefined if no type is known, or if an upload is declared as
   * `application/octet-stream`.
   */
  declaredType: string | undefined;
  /** At most the first HEAD_BYTES bytes, which are enough to detect the signatures of all supported kinds. */
  head: Uint8Array;
  /** Reads the whole content into memory. Use it only for files that are known to be small. */
  bytes(): Promise<Uint8Array>;
  /** Streams exactly `size` bytes. Each call returns a new stream from the start. */
  stream(): Promise<ReadableStream<Uint8Array>>;
}

export const HEAD_BYTES = 64 * 1024;

export function memoryFile(name: string, bytes: Uint8Array, declaredType?: string): InputFile {
  return {
    name,
    size: bytes.byteLength,
    declaredType,
    head: bytes.subarray(0, HEAD_BYTES),
    bytes: async () => bytes,
    stream: async () => new Blob([bytes as Uint8Array<ArrayBuffer>]).stream(),
  };
}
