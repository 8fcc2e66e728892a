/**
 * Which passages have a vector of which model: rows of D1, with the vector itself or empty where it is elsewhere; and
 * the model's floor. What the stores of vectors have in common.
 */
import { type ContentState, idOf } from '../core/content.ts';
import type { Unembedded } from '../core/passage-index.ts';

export class PassageVectors {
  readonly database: D1Database;

  constructor(database: D1Database) {
    this.database = database;
  }

  async missing(
    model: string,
    { version }: ContentState,
    after: number,
    limit: number,
  ): Promise<Unembedded[]> {
    const { results } = await this.database
      .prepare(
        `SELECT passages.id, digest, title || char(10) || heading || char(10) || text AS text
         FROM passages JOIN documents ON documents.id = document_id
         WHERE passages.id > ? AND passages.id >= ? AND passages.id < ? AND NOT EXISTS
           (SELECT 1 FROM passage_vectors WHERE model = ? AND digest = passages.digest)
         ORDER BY passages.id LIMIT ?`,
      )
      .bind(after, idOf(version, 0), idOf(version + 1, 0), model, limit)
      .all<Unembedded>();
    return results;
  }

  /** Digests of vectors whose passages are gone. */
  async stale(limit: number): Promise<string[]> {
    const { results } = await this.database
      .prepare(
        'SELECT DISTINCT digest FROM passage_vectors WHERE digest NOT IN (SELECT digest FROM passages) LIMIT ?',
      )
      .bind(limit)
      .all<{ digest: string }>();
    return results.map(({ digest }) => digest);
  }

  async forget(digests: readonly string[]): Promise<void> {
    if (digests.length === 0) return;
    await this.database
      .prepare(`DELETE FROM passage_vectors WHERE digest IN (${digests.map(() => '?').join(', ')})`)
      .bind(...digests)
      .run();
  }

  async note(model: string, rows: readonly { digest: string; vector: string }[]): Promise<void> {
    const insert = this.database.prepare(
      'INSERT INTO passage_vectors (model, digest, vector) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    );
    await this.database.batch(rows.map(({ digest, vector }) => insert.bind(model, digest, vector)));
  }

  async floor(model: string): Promise<number | null> {
    return (await this.#floorRow(model))?.likeness ?? null;
  }

  async hasFloor(model: string, { digest }: ContentState): Promise<boolean> {
    return (await this.#floorRow(model))?.digest === digest;
  }

  async keepFloor(model: string, { digest }: ContentState, likeness: number): Promise<void> {
    await this.database
      .prepare(
        `INSERT INTO likeness_floors (model, digest, likeness) VALUES (?, ?, ?)
         ON CONFLICT (model) DO UPDATE SET digest = excluded.digest, likeness = excluded.likeness`,
      )
      .bind(model, digest, likeness)
      .run();
  }

  #floorRow(model: string) {
    return this.database
      .prepare('SELECT digest, likeness FROM likeness_floors WHERE model = ?')
      .bind(model)
      .first<{ digest: string; likeness: number }>();
  }
}
