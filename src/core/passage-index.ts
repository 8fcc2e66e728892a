/** What search asks of its index, without naming what keeps it. */
import type { ContentState, FoundPassage } from './content.ts';

export interface IndexedTerm {
  /** How many passages have it. */
  passages: number;
  /** What a byte of 127 in its vector stands for. */
  scale: number;
  vector: Int8Array;
}

export interface InvertedList {
  ids: number[];
  /** One latent vector a passage, behind one another. */
  vectors: Int8Array;
}

export interface PassageIndex {
  /** Null before the first ingest. */
  state(): Promise<ContentState | null>;
  /** What is known of these stems; those that occur nowhere are left out. */
  terms(version: number, stems: readonly string[]): Promise<Map<string, IndexedTerm>>;
  /** Ids of the passages with any of these words, the best by BM25 first. */
  fullText(version: number, words: readonly string[], limit: number): Promise<number[]>;
  lists(version: number, lists: readonly number[]): Promise<InvertedList[]>;
  /** In any order. */
  passages(ids: readonly number[]): Promise<FoundPassage[]>;
}

/** Vectors that an embedding model made of the passages. */
export interface VectorIndex {
  /** The passages of this version that are nearest to the vector, best first; `candidates` are looked at first. */
  nearest(
    query: { model: string; vector: readonly number[] },
    state: ContentState,
    candidates: readonly number[],
    limit: number,
  ): Promise<Near[]>;
  /** The likeness that questions about something else reach with this model; null where it is not known yet. */
  floor(model: string): Promise<number | null>;
}

export interface Near {
  id: number;
  /** The cosine. */
  likeness: number;
}

export interface Unembedded {
  id: number;
  digest: string;
  text: string;
}

export interface VectorStore extends VectorIndex {
  /** The first passages behind `after` that have no vector of this model; several may have the same digest, so the same text. */
  missing(model: string, state: ContentState, after: number, limit: number): Promise<Unembedded[]>;
  put(
    model: string,
    vectors: readonly { digest: string; vector: readonly number[] }[],
  ): Promise<void>;
  /** Whether the floor of this model was found with this version. */
  hasFloor(model: string, state: ContentState): Promise<boolean>;
  keepFloor(model: string, state: ContentState, likeness: number): Promise<void>;
  /** Forgets vectors of passages that are in no version. */
  cleanUp(): Promise<void>;
}
