/** A file handed to a tool, wherever its bytes are: in memory, in R2, or on their way from there. */

export interface InputFile {
  /** The name the caller gave it, without any path; for messages and for naming results. */
  name: string;
  /** Bytes. */
  size: number;
  /** The media type the caller declared, lower case, without parameters; `application/octet-stream` is none. */
  declaredType: string | undefined;
  /** The first bytes, up to HEAD_BYTES: enough for every signature that is asked for. */
  head: Uint8Array;
  /** The whole content in memory. Only for files known to be small. */
  bytes(): Promise<Uint8Array>;
  /** The content as a stream of exactly `size` bytes; each call starts anew. */
  stream(): Promise<ReadableStream<Uint8Array>>;
}

export const HEAD_BYTES = 64 * 1024;

/** A file whose bytes are in memory. */
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
