/**
 * The store of the passages' embedding vectors. Vectors are scaled to bytes and looked up by the digest of the embedded
 * text.
 */
export interface VectorStore {
  /** Returns all vectors of a model, by digest. */
  of(model: string): Promise<ReadonlyMap<string, Int8Array>>;
  put(model: string, vectors: ReadonlyMap<string, Int8Array>): Promise<void>;
  /** Deletes all vectors whose digests are not in the set. */
  keepOnly(digests: ReadonlySet<string>): Promise<void>;
}
