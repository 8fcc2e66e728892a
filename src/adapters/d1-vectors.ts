/**
 * A model's vectors in D1, as bytes. Where the passages are few, all are compared with the question; of many only the
 * candidates that the words have found.
 */
import { type ContentState, idOf } from '../core/content.ts';
import type { Near, VectorStore } from '../core/passage-index.ts';
import { cosine, quantise } from '../lib/vectors.ts';
import { PassageVectors } from './passage-vectors.ts';

/** Passages up to which all vectors are kept in memory: some 2 MB. */
const FEW = 2000;
/** D1 takes 100 values a statement. */
const MOST_VALUES = 90;

interface Stored {
  id: number;
  vector: Int8Array;
}

export class D1Vectors extends PassageVectors implements VectorStore {
  #kept: { of: string; at: number; all: Stored[] } | undefined;

  async put(
    model: string,
    vectors: readonly { digest: string; vector: readonly number[] }[],
  ): Promise<void> {
    await this.note(
      model,
      vectors.map(({ digest, vector }) => ({
        digest,
        vector: new Uint8Array(quantise(vector).buffer).toBase64(),
      })),
    );
    this.#kept = undefined;
  }

  async cleanUp(): Promise<void> {
    await this.forget(await this.stale(MOST_VALUES));
  }

  async nearest(
    { model, vector }: { model: string; vector: readonly number[] },
    state: ContentState,
    candidates: readonly number[],
    limit: number,
  ): Promise<Near[]> {
    const stored =
      state.passages <= FEW
        ? await this.#all(model, state)
        : await this.#some(model, candidates.slice(0, MOST_VALUES));
    return stored
      .map((each) => ({
        id: each.id,
        likeness: each.vector.length === vector.length ? cosine(vector, each.vector) : 0,
      }))
      .sort((one, other) => other.likeness - one.likeness || one.id - other.id)
      .slice(0, limit);
  }

  /** Kept for a minute, so that vectors which another isolate made are seen. */
  async #all(model: string, { version, digest }: ContentState): Promise<Stored[]> {
    const of = `${model} ${digest}`;
    if (this.#kept?.of === of && Date.now() - this.#kept.at < 60_000) return this.#kept.all;
    const all = await this.#select('id >= ? AND id < ?', model, [
      idOf(version, 0),
      idOf(version + 1, 0),
    ]);
    this.#kept = { of, at: Date.now(), all };
    return all;
  }

  async #some(model: string, ids: readonly number[]): Promise<Stored[]> {
    if (ids.length === 0) return [];
    return this.#select(`id IN (${ids.map(() => '?').join(', ')})`, model, ids);
  }

  async #select(where: string, model: string, values: readonly number[]): Promise<Stored[]> {
    const { results } = await this.database
      .prepare(
        `SELECT id, vector FROM passages JOIN passage_vectors USING (digest) WHERE model = ? AND vector <> '' AND ${where}`,
      )
      .bind(model, ...values)
      .all<{ id: number; vector: string }>();
    return results.map(({ id, vector }) => ({
      id,
      vector: new Int8Array(Uint8Array.fromBase64(vector).buffer),
    }));
  }
}
