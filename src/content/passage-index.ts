/** Searches the full text of the documents' passages in memory (MiniSearch's BM25+). */
import MiniSearch, { type Options } from 'minisearch';
import { stemmer } from 'stemmer';
import type { Passage } from '../core/content.ts';
import { STOP, stemsOf, wordsOf } from './terms.ts';

/** The content of `search.json`, which is deployed with the Worker. */
export interface IndexFile {
  passages: Passage[];
  /** The index as MiniSearch serializes it. */
  index: string;
  /** The number of passages that contain each stem. */
  frequencies: Record<string, number>;
}

export interface Match {
  passage: Passage;
  /** The score from 0 to 1, relative to the best match of the same question. */
  score: number;
}

const OPTIONS: Options<Passage> = {
  fields: ['title', 'heading', 'also', 'text'],
  tokenize: wordsOf,
  processTerm: (word) => (STOP.has(word) ? null : stemmer(word)),
  searchOptions: {
    boost: { title: 2, also: 2 },
    // Tolerates typos and unfinished words. Short words must match exactly, because they would otherwise match too many
    // other words.
    fuzzy: (term) => (term.length > 5 ? 0.2 : false),
    prefix: (term) => term.length > 3,
  },
};

/** Builds the index that `PassageIndex` reads. */
export function indexPassages(passages: Passage[]): IndexFile {
  const index = new MiniSearch(OPTIONS);
  index.addAll(passages);
  const frequencies = new Map<string, number>();
  for (const { title, heading, also, text } of passages) {
    for (const stem of new Set(stemsOf(`${title} ${heading} ${also} ${text}`)))
      frequencies.set(stem, (frequencies.get(stem) ?? 0) + 1);
  }
  return {
    passages,
    index: JSON.stringify(index),
    frequencies: Object.fromEntries(frequencies),
  };
}

export class PassageIndex {
  readonly passages: readonly Passage[];
  readonly #index: MiniSearch<Passage>;
  readonly #frequencies: ReadonlyMap<string, number>;

  constructor({ passages, index, frequencies }: IndexFile) {
    this.passages = passages;
    this.#index = MiniSearch.loadJSON(index, OPTIONS);
    this.#frequencies = new Map(Object.entries(frequencies));
  }

  /** Returns the passages that share words with the question, best first. Repeated words are searched for only once. */
  search(query: string, limit: number): Match[] {
    const words = [...new Set(wordsOf(query))];
    const found = this.#index.search(words.join(' ')).slice(0, limit);
    const best = found[0]?.score ?? 1;
    return found.map(({ id, score }) => ({ passage: this.passages[id]!, score: score / best }));
  }

  /** Returns the inverse document frequency of a stem. A stem that occurs nowhere has the highest value. */
  rarity(stem: string): number {
    return Math.log(1 + this.passages.length / (this.#frequencies.get(stem) ?? 1));
  }
}
