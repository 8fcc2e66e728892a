/**
 * Ranks tools and documents by the words of a query. It runs in the page while the visitor types, and on the server.
 */
import { STOP, wordsOf } from '../../content/terms.ts';

export interface Entry {
  title: string;
  href: string;
  /** A description in one sentence. */
  text: string;
  /** The words of the entry by weight: first those of its name, then those of its synonyms, then all others. */
  words: readonly string[];
}

export interface ToolEntry extends Entry {
  kind: string;
  /** The SVG shapes of the tool's icon. */
  icon: string;
}

export interface DocumentEntry extends Entry {
  section: string;
}

export interface SearchIndex {
  /** All tools. The most used tools come first, because equal matches are listed in this order. */
  tools: ToolEntry[];
  documents: DocumentEntry[];
}

/** The weight of a whole word, by the word list that contains it. The beginning of a word has half of the weight. */
const WEIGHTS = [4, 3, 1];
/** The minimum score of a listed entry, as a share of the best score. */
const LEAST = 0.7;

/** Returns the meaningful words in the singular, without duplicates, separated by spaces. */
export const indexedWords = (text: string): string => [...new Set(meaningIn(text))].join(' ');

const meaningIn = (text: string): string[] =>
  wordsOf(text)
    .filter((word) => !STOP.has(word))
    .map((word) => (word.length > 3 ? word.replace(/s$/, '') : word));

/**
 * Returns the entries that match every word of the query. An entry matches a word if it has the word or one that begins
 * with it. The best matches come first.
 */
export function ranked<E extends Entry>(entries: readonly E[], query: string, least = 0): E[] {
  const words = meaningIn(query);
  if (words.length === 0) return [];
  const scored = entries
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
  const limit = Math.max(LEAST * (scored[0]?.score ?? 0), least);
  return scored.filter(({ score }) => score >= limit).map(({ entry }) => entry);
}

/** Returns the mean weight of the words, or 0 if one of them is missing. */
function scoreOf({ words: levels }: Entry, words: readonly string[]): number {
  let sum = 0;
  for (const word of words) {
    const weights = levels.map((text, level) => WEIGHTS[level]! * matchOf(` ${text} `, word));
    const best = Math.max(...weights);
    if (best === 0) return 0;
    sum += best;
  }
  return sum / words.length;
}

function matchOf(text: string, word: string): number {
  if (text.includes(` ${word} `)) return 1;
  return text.includes(` ${word}`) ? 0.5 : 0;
}
