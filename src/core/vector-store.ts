/** Vectors that an embedding model made of passages, by the digest of what was embedded. */
export interface VectorStore {
  /** The vectors of this model, scaled to bytes. */
  of(model: string): Promise<ReadonlyMap<string, Int8Array>>;
  put(
    model: string,
    vectors: readonly { digest: string; vector: readonly number[] }[],
  ): Promise<void>;
  /** Deletes the vectors of every other digest. */
  keepOnly(digests: ReadonlySet<string>): Promise<void>;
}
