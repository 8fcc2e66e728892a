/** Searches the service's own documents by words and, if an embedding model is configured, by vectors. */
import type { Passage } from '../core/content.ts';
import type { VectorStore } from '../core/vector-store.ts';
import { log } from '../lib/log.ts';
import type { Match, PassageIndex } from './passage-index.ts';
import { similarPassages } from './similarity.ts';
import { termOverlap } from './term-overlap.ts';
import { stemsOf } from './terms.ts';

/** The method that found the passages: a model's vectors, words and vectors, or words alone. */
export type Retrieval = 'vector' | 'hybrid' | 'lexical';

export interface SearchResult {
  passages: Match[];
  retrieval: Retrieval;
}

/** Embeds the question with the configured model. Returns null if there is no model or if it does not respond. */
export type Embed = (query: string) => Promise<{ model: string; vector: number[] } | null>;

export interface SearchParts {
  index: PassageIndex;
  vectors: VectorStore;
  embed: Embed;
}

/** The number of candidates from each method. */
const CANDIDATES = 80;
const WORDS_WEIGHT = 1;
const VECTORS_WEIGHT = 1.5;
/**
 * The factor that reduces the score of each additional passage from the same document, so that other documents appear
 * too.
 */
const REPEATED = 0.5;

/** Returns the best `topK` passages. The list is empty if no passage is related to the question. */
export async function search(
  query: string,
  topK: number,
  parts: SearchParts,
): Promise<SearchResult> {
  const { index } = parts;
  const byWords = index.search(query, CANDIDATES);
  const byVectors = await searchVectors(query, parts);
  const weights = new Map(stemsOf(query).map((stem) => [stem, index.rarity(stem)]));
  const isSimilar = new Set(byVectors.map(({ passage }) => passage));
  const combined = combine(byWords, byVectors).flatMap(({ passage, score }): Match[] => {
    const overlap = termOverlap(weights, passage);
    if (overlap === null && !isSimilar.has(passage)) return [];
    return [{ passage, score: score * (0.5 + 0.5 * (overlap ?? 0)) }];
  });
  return {
    passages: spread(combined).slice(0, topK),
    retrieval: byVectors.length === 0 ? 'lexical' : byWords.length === 0 ? 'vector' : 'hybrid',
  };
}

/**
 * Returns passages with similar vectors. The list is empty if no model is configured or an error occurs. The search
 * then uses only words.
 */
async function searchVectors(
  query: string,
  { index, vectors, embed }: SearchParts,
): Promise<Match[]> {
  const embedded = await embed(query);
  if (!embedded) return [];
  try {
    const known = await vectors.of(embedded.model);
    return similarPassages(embedded.vector, index.passages, known, CANDIDATES);
  } catch (error) {
    log('warn', 'vectors-failed', { cause: error });
    return [];
  }
}

/** Combines the word and vector scores in a weighted mean. */
function combine(byWords: readonly Match[], byVectors: readonly Match[]): Match[] {
  const all = WORDS_WEIGHT + (byVectors.length > 0 ? VECTORS_WEIGHT : 0);
  const scores = new Map<Passage, number>();
  const add = (matches: readonly Match[], weight: number) => {
    for (const { passage, score } of matches)
      scores.set(passage, (scores.get(passage) ?? 0) + (score * weight) / all);
  };
  add(byWords, WORDS_WEIGHT);
  add(byVectors, VECTORS_WEIGHT);
  return [...scores].map(([passage, score]) => ({ passage, score }));
}

/**
 * Sorts by reduced score. A document's second passage loses half of its score, the third loses three quarters, and so
 * on.
 */
function spread(matches: readonly Match[]): Match[] {
  const earlier = new Map<string, number>();
  return [...matches]
    .sort(byScore)
    .map(({ passage, score }) => {
      const count = earlier.get(passage.path) ?? 0;
      earlier.set(passage.path, count + 1);
      return { passage, score: score * REPEATED ** count };
    })
    .sort(byScore);
}

const byScore = (one: Match, other: Match) =>
  other.score - one.score || one.passage.id - other.passage.id;
