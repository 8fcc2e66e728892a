/** A model's vectors in Cloudflare Vectorize, under the digests of what was embedded. */
import { type ContentState, idOf } from '../core/content.ts';
import type { Near, VectorStore } from '../core/passage-index.ts';
import { PassageVectors } from './passage-vectors.ts';

/** What this adapter needs of a Vectorize binding (developers.cloudflare.com/vectorize/reference/client-api). */
export interface VectorizeBinding {
  upsert(vectors: { id: string; values: number[]; namespace: string }[]): Promise<unknown>;
  deleteByIds(ids: string[]): Promise<unknown>;
  query(
    vector: number[],
    options: { topK: number; namespace: string },
  ): Promise<{ matches: { id: string; score: number }[] }>;
}

/** Vectorize gives at most 100. */
const MOST_MATCHES = 100;
const MOST_VALUES = 90;

export class VectorizeVectors extends PassageVectors implements VectorStore {
  readonly #binding: VectorizeBinding;

  constructor(binding: VectorizeBinding, database: D1Database) {
    super(database);
    this.#binding = binding;
  }

  /** Vectors of other models of other sizes are refused by the index: its size is set when it is made. */
  async put(
    model: string,
    vectors: readonly { digest: string; vector: readonly number[] }[],
  ): Promise<void> {
    await this.#binding.upsert(
      vectors.map(({ digest, vector }) => ({
        id: digest,
        values: [...vector],
        namespace: namespaceOf(model),
      })),
    );
    // One vector a digest: that of another model has been replaced.
    await this.forget(vectors.map(({ digest }) => digest));
    // Noted only when it is there: a failure is made good by the next run.
    await this.note(
      model,
      vectors.map(({ digest }) => ({ digest, vector: '' })),
    );
  }

  async cleanUp(): Promise<void> {
    const stale = await this.stale(MOST_VALUES);
    if (stale.length === 0) return;
    await this.#binding.deleteByIds(stale);
    await this.forget(stale);
  }

  async nearest(
    { model, vector }: { model: string; vector: readonly number[] },
    { version }: ContentState,
    _: readonly number[],
    limit: number,
  ): Promise<Near[]> {
    const { matches } = await this.#binding.query([...vector], {
      topK: Math.min(MOST_MATCHES, limit),
      namespace: namespaceOf(model),
    });
    const near = matches.slice(0, MOST_VALUES);
    if (near.length === 0) return [];
    // What an older version had is still in the index, and not among the passages.
    const { results } = await this.database
      .prepare(
        `SELECT id, digest FROM passages WHERE id >= ? AND id < ? AND digest IN (${near.map(() => '?').join(', ')})`,
      )
      .bind(idOf(version, 0), idOf(version + 1, 0), ...near.map(({ id }) => id))
      .all<{ id: number; digest: string }>();
    const likeness = new Map(near.map(({ id, score }) => [id, score]));
    return results
      .map(({ id, digest }) => ({ id, likeness: likeness.get(digest)! }))
      .sort((one, other) => other.likeness - one.likeness || one.id - other.id);
  }
}

/** At most 64 bytes. */
const namespaceOf = (model: string): string => model.slice(-64);
