/** Vectors of passages in D1, as bytes in Base64. */
import type { VectorStore } from '../core/vector-store.ts';

/** How long an isolate caches the vectors. */
const CACHED_MS = 60_000;
/** D1 binds at most 100 values per statement. */
const MAX_VALUES = 90;

export class D1Vectors implements VectorStore {
  readonly #database: D1Database;
  #cached: { model: string; at: number; vectors: ReadonlyMap<string, Int8Array> } | undefined;

  constructor(database: D1Database) {
    this.#database = database;
  }

  async of(model: string): Promise<ReadonlyMap<string, Int8Array>> {
    const cached = this.#cached;
    if (cached?.model === model && Date.now() - cached.at < CACHED_MS) return cached.vectors;
    const { results } = await this.#database
      .withSession('first-unconstrained')
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
    const insert = this.#database.prepare(
      'INSERT INTO passage_vectors (model, digest, vector) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    );
    await this.#database.batch(
      [...vectors].map(([digest, vector]) =>
        insert.bind(model, digest, new Uint8Array(vector.buffer).toBase64()),
      ),
    );
    this.#cached = undefined;
  }

  async keepOnly(digests: ReadonlySet<string>): Promise<void> {
    const { results } = await this.#database
      .prepare('SELECT DISTINCT digest FROM passage_vectors')
      .all<{ digest: string }>();
    const stale = results.map(({ digest }) => digest).filter((digest) => !digests.has(digest));
    for (let at = 0; at < stale.length; at += MAX_VALUES) {
      const some = stale.slice(at, at + MAX_VALUES);
      await this.#database
        .prepare(`DELETE FROM passage_vectors WHERE digest IN (${some.map(() => '?').join(', ')})`)
        .bind(...some)
        .run();
    }
  }
}
