/** Embedding vectors of passages, scaled to bytes, by the digest of the embedded text. */
export interface VectorStore {
  /** Returns all vectors of a model by digest. */
  of(model: string): Promise<ReadonlyMap<string, Int8Array>>;
  put(model: string, vectors: ReadonlyMap<string, Int8Array>): Promise<void>;
  /** Deletes the vectors of every other digest. */
  keepOnly(digests: ReadonlySet<string>): Promise<void>;
}
