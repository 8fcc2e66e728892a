/** The index of search in D1: full text (FTS5), terms and inverted lists of the latent space, the passages. */
import { type ContentState, type FoundPassage, idOf } from '../core/content.ts';
import type { IndexedTerm, InvertedList, PassageIndex } from '../core/passage-index.ts';

/** D1 takes 100 values a statement. */
const MOST_VALUES = 90;

/** Of title, heading, text and other words in BM25. */
const COLUMN_WEIGHTS = [2, 1, 1, 1];

interface PassageRow {
  id: number;
  path: string;
  section: FoundPassage['section'];
  title: string;
  description: string;
  heading: string;
  also: string;
  text: string;
}

export class D1Passages implements PassageIndex {
  readonly #database: D1Database;
  readonly state: () => Promise<ContentState | null>;

  constructor(database: D1Database, state: () => Promise<ContentState | null>) {
    this.#database = database;
    this.state = state;
  }

  async terms(version: number, stems: readonly string[]): Promise<Map<string, IndexedTerm>> {
    const asked = stems.slice(0, MOST_VALUES);
    const { results } = await this.#database
      .prepare(
        `SELECT term, passages, scale, vector FROM content_terms WHERE version = ? AND term IN (${places(asked)})`,
      )
      .bind(version, ...asked)
      .all<{ term: string; passages: number; scale: number; vector: string }>();
    return new Map(
      results.map(({ term, vector, ...row }) => [term, { ...row, vector: bytesOf(vector) }]),
    );
  }

  async fullText(version: number, words: readonly string[], limit: number): Promise<number[]> {
    if (words.length === 0) return [];
    // Quoted, a word is a word and no operator; words have letters and digits only.
    const match = words.map((word) => `"${word}"`).join(' OR ');
    const { results } = await this.#database
      .prepare(
        `SELECT rowid AS id FROM passages_fts WHERE passages_fts MATCH ? AND rowid >= ? AND rowid < ?
         ORDER BY bm25(passages_fts, ${COLUMN_WEIGHTS.join(', ')}), rowid LIMIT ?`,
      )
      .bind(match, idOf(version, 0), idOf(version + 1, 0), limit)
      .all<{ id: number }>();
    return results.map(({ id }) => id);
  }

  async lists(version: number, lists: readonly number[]): Promise<InvertedList[]> {
    if (lists.length === 0) return [];
    const { results } = await this.#database
      .prepare(
        `SELECT passage_numbers, vectors FROM latent_lists WHERE version = ? AND list IN (${places(lists)})`,
      )
      .bind(version, ...lists)
      .all<{ passage_numbers: string; vectors: string }>();
    return results.map((row) => ({
      ids: (JSON.parse(row.passage_numbers) as number[]).map((number) => idOf(version, number)),
      vectors: bytesOf(row.vectors),
    }));
  }

  async passages(ids: readonly number[]): Promise<FoundPassage[]> {
    if (ids.length === 0) return [];
    const asked = ids.slice(0, MOST_VALUES);
    const { results } = await this.#database
      .prepare(
        `SELECT passages.id, path, section, title, description, heading, also, text
         FROM passages JOIN documents ON documents.id = document_id WHERE passages.id IN (${places(asked)})`,
      )
      .bind(...asked)
      .all<PassageRow>();
    return results;
  }
}

const places = (values: readonly unknown[]): string => values.map(() => '?').join(', ');

const bytesOf = (text: string): Int8Array => new Int8Array(Uint8Array.fromBase64(text).buffer);
