/**
 * Ranks tools, documents and endpoints by the words of a query. It runs in the page while the visitor types, and on the
 * server.
 */
import { STOP, wordsOf } from '../../content/terms.ts';

export interface Entry {
  title: string;
  href: string;
  /** A description in one sentence. */
  text: string;
  /** The words of the entry by weight: first the words of its name, then of its synonyms, then all others. */
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

export interface EndpointEntry extends Entry {
  /** The name of the tool or of the operation in the OpenAPI document. */
  id: string;
  /** The method and the path, such as `GET /api/v1/jobs/{id}`. */
  call: string;
  /** Whether the endpoint belongs to one tool. The words of such endpoints are not searched. */
  isOfTool: boolean;
  /** The names of its parameters, headers and result fields, converted by `plainName` and separated by spaces. */
  fields: string;
}

export interface SearchIndex {
  /** All tools. The most used tools come first, because equal matches are listed in this order. */
  tools: ToolEntry[];
  documents: DocumentEntry[];
  endpoints: EndpointEntry[];
}

/**
 * The weight of a whole word, by the word list that contains it. A match at the beginning of a word has half the
 * weight.
 */
const WEIGHTS = [4, 3, 1] as const;
/**
 * The minimum length of a match at the beginning of a word, by the word list that contains the word. Shorter matches
 * would match too many words of a description.
 */
const MIN_MATCH_LENGTHS = [1, 1, 4] as const;
/** The minimum score of a listed entry, as a share of the best score. */
const MIN_SCORE = 0.7;

/** Matches numbers and units of size, as in "smaller than 1 MB". They do not describe a tool. */
const AMOUNT = /^(?:\d+|[kmg]b)$/;

/** Returns the meaningful words in the singular, without duplicates, separated by spaces. */
export const indexedWords = (text: string): string => [...new Set(meaningIn(text))].join(' ');

const meaningIn = (text: string): string[] =>
  wordsOf(text)
    .filter((word) => !STOP.has(word) && !AMOUNT.test(word))
    .map((word) => (word.length > 3 ? word.replace(/s$/, '') : word));

/**
 * Returns the entries that match every word of the query, best first. An entry matches a word if it contains the word
 * or a word that begins with it. Entries that score below `least`, or far below the best, are omitted.
 */
export function ranked<E extends Entry>(entries: readonly E[], query: string, least = 0): E[] {
  const words = meaningIn(query);
  if (words.length === 0) return [];
  const scored = entries
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
  const limit = Math.max(MIN_SCORE * (scored[0]?.score ?? 0), least);
  return scored.filter(({ score }) => score >= limit).map(({ entry }) => entry);
}

/** Returns the mean weight of the words, or 0 if one of them is missing. */
function scoreOf(entry: Entry, words: readonly string[]): number {
  const weights = weightsOf(entry, words);
  return weights.includes(0) ? 0 : mean(weights);
}

/** Whether each word of the query, or a word that begins with it, is in the entry's name or synonyms. */
export function isNamedBy({ words: [name = '', synonyms = ''] }: Entry, query: string): boolean {
  const text = ` ${name} ${synonyms} `;
  return meaningIn(query).every((word) => matchOf(text, word) > 0);
}

/** Returns the highest weight of each word in an entry. */
const weightsOf = ({ words: levels }: Entry, words: readonly string[]): number[] =>
  words.map((word) =>
    Math.max(
      ...levels.map(
        (text, level) => WEIGHTS[level]! * matchOf(` ${text} `, word, MIN_MATCH_LENGTHS[level]!),
      ),
    ),
  );

const mean = (weights: readonly number[]): number =>
  weights.reduce((sum, weight) => sum + weight, 0) / weights.length;

/** Corrects typos in the words of a query that no entry contains. */
export const spelled = (query: string, entries: readonly Entry[]): string =>
  wordsOf(query)
    .map((word) => (STOP.has(word) || AMOUNT.test(word) ? word : corrected(word, entries)))
    .join(' ');

/**
 * Returns the entries that match the most words of a query, best first. Rare words count more than common ones, and
 * typos of one letter are corrected. No entries are returned if most words are unknown, as in questions about other
 * topics. `hasEvery` is whether the best entry matches all words after the corrections.
 */
export function nearest<E extends Entry>(
  entries: readonly E[],
  query: string,
): { entries: E[]; hasEvery: boolean } {
  const words = meaningIn(query).map((word) => corrected(word, entries));
  const rarities = words.map((word) => rarityOf(word, entries));
  const areKnown = rarities.every((rarity) => rarity > 0);
  const close = entries.flatMap((entry) => {
    const weights = weightsOf(entry, words);
    const count = weights.filter((weight) => weight > 0).length;
    const score = mean(weights.map((weight, index) => weight * rarities[index]!));
    return isClose(weights, count, areKnown) ? { entry, count, score } : [];
  });
  const best = close.sort((one, other) => other.score - one.score);
  return {
    entries: best
      .filter(({ score }) => score >= MIN_SCORE * best[0]!.score)
      .map(({ entry }) => entry),
    hasEvery: best[0]?.count === words.length,
  };
}

/**
 * Returns how much a word distinguishes the entries: the logarithm of 1 plus the ratio of all entries to those with the
 * word, or 0 if no entry has it. A rare word, such as `cron`, therefore outweighs a common one, such as `generate`.
 */
function rarityOf(word: string, entries: readonly Entry[]): number {
  const having = entries.filter((entry) => weightsOf(entry, [word])[0]! > 0).length;
  return having === 0 ? 0 : Math.log(1 + entries.length / having);
}

/**
 * Whether all words match, or at least half of them. If only some match, a single match must be a whole word of the
 * name, and at least one of several matches must be a whole word of the name or the synonyms. If other entries have the
 * other words, a single match in the synonyms is enough.
 */
function isClose(weights: readonly number[], count: number, areKnown: boolean): boolean {
  if (count === weights.length) return count > 0;
  const [inName, inSynonyms] = WEIGHTS;
  const least = count > 1 || areKnown ? inSynonyms : inName;
  return 2 * count >= weights.length && Math.max(...weights) >= least;
}

/** The minimum length of a word that is corrected. Shorter words are similar to too many other words. */
const SHORTEST_CORRECTED = 4;

/**
 * Returns the verb from which an unknown word is derived, such as `compress` for `compressor`. If there is no such
 * verb, returns a word of a name or a synonym that differs by one letter after the first. Returns the word itself if it
 * is known or short, or if there is no similar word.
 */
function corrected(word: string, entries: readonly Entry[]): string {
  const isKnown = (other: string) => entries.some((entry) => weightsOf(entry, [other])[0]! > 0);
  if (word.length < SHORTEST_CORRECTED || isKnown(word)) return word;
  const verb = verbsOf(word).find((other) => entries.some((entry) => hasWord(entry, other)));
  if (verb) return verb;
  const known = entries.flatMap(({ words: [name = '', synonyms = ''] }) =>
    `${name} ${synonyms}`.split(' '),
  );
  return known.find((other) => isTypoOf(word, other)) ?? word;
}

/** Short words that differ by a replaced letter are usually different words. */
const isTypoOf = (word: string, other: string): boolean =>
  word[0] === other[0] &&
  (word.length > SHORTEST_CORRECTED || word.length !== other.length) &&
  isOneLetterApart(word, other);

const hasWord = ({ words }: Entry, word: string): boolean =>
  words.some((text) => matchOf(` ${text} `, word) === 1);

/** Returns the verbs from which a noun such as `merger`, `splitter`, `compressor` or `generator` may be derived. */
const verbsOf = (noun: string): string[] =>
  /[eo]r$/.test(noun)
    ? [noun.slice(0, -1), noun.slice(0, -2), noun.slice(0, -3), `${noun.slice(0, -2)}e`]
    : [];

/** Whether the words are equal except for one missing, added or replaced letter, or two swapped adjacent letters. */
export function isOneLetterApart(one: string, other: string): boolean {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  const [left, right] = [one.slice(start), other.slice(start)];
  return (
    left.slice(1) === right.slice(1) ||
    left.slice(1) === right ||
    left === right.slice(1) ||
    (left.slice(2) === right.slice(2) && left[0] === right[1] && left[1] === right[0])
  );
}

function matchOf(text: string, word: string, shortest = 0): number {
  if (text.includes(` ${word} `)) return 1;
  return word.length >= shortest && text.includes(` ${word}`) ? 0.5 : 0;
}
