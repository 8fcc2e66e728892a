/** A tool's input file. Its bytes are in memory, in R2, or still on their way to R2. */

export interface InputFile {
  /** The caller's name for it, without a path; used in messages and for the names of results. */
  name: string;
  /** Bytes. */
  size: number;
  /**
   * The media type that the caller declared, lower case, without parameters. `application/octet-stream` counts as
   * undeclared.
   */
  declaredType: string | undefined;
  /** The first HEAD_BYTES bytes, enough for every signature. */
  head: Uint8Array;
  /** Reads the whole content into memory. Use it only for files that are known to be small. */
  bytes(): Promise<Uint8Array>;
  /** Streams exactly `size` bytes; each call starts again. */
  stream(): Promise<ReadableStream<Uint8Array>>;
}

export const HEAD_BYTES = 64 * 1024;

/** Creates a file from bytes in memory. */
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
