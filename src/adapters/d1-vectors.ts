/** The D1 store of the passages' embedding vectors. Each vector is stored as Base64. */
import type { VectorStore } from '../core/vector-store.ts';
import { D1Store } from './d1-store.ts';

/** How long an isolate caches the vectors, in milliseconds. */
const CACHED_MS = 60_000;

export class D1Vectors extends D1Store implements VectorStore {
  #cached: { model: string; at: number; vectors: ReadonlyMap<string, Int8Array> } | undefined;

  async of(model: string): Promise<ReadonlyMap<string, Int8Array>> {
    const cached = this.#cached;
    if (cached?.model === model && Date.now() - cached.at < CACHED_MS) return cached.vectors;
    const { results } = await this.replica
      .prepare('SELECT digest, vector FROM passage_vectors WHERE model = ?')
      .bind(model)
      .all<{ digest: string; vector: string }>();
    const vectors = new Map(
      results.map(({ digest, vector }) => [
        digest,
        new Int8Array(Uint8Array.fromBase64(vector).buffer),
      ]),
    );
    this.#cached = { model, at: Date.now(), vectors };
    return vectors;
  }

  async put(model: string, vectors: ReadonlyMap<string, Int8Array>): Promise<void> {
    const insert = this.database.prepare(
      'INSERT INTO passage_vectors (model, digest, vector) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    );
    await this.database.batch(
      [...vectors].map(([digest, vector]) =>
        insert.bind(model, digest, new Uint8Array(vector.buffer).toBase64()),
      ),
    );
    this.#cached = undefined;
  }

  async keepOnly(digests: ReadonlySet<string>): Promise<void> {
    await this.run(
      'DELETE FROM passage_vectors WHERE digest NOT IN (SELECT value FROM json_each(?))',
      [JSON.stringify([...digests])],
    );
  }
}
