/** Decides whether a passage shares enough words with a question to answer it (ADR 33). */
import type { Passage } from '../core/content.ts';
import { COMMON } from './common-words.ts';
import { stemsOf } from './terms.ts';

/** The minimum share of the question's words, weighted by rarity, that a passage must contain. */
const MIN_SHARE = 0.12;
/** The minimum share if the document's topic does not match the question. */
const LARGE_SHARE = 0.5;

/**
 * Returns the share of the question's words, weighted by rarity, that occur in the passage, or in the title or the
 * synonyms of its document. Returns null below `MIN_SHARE`, and below `LARGE_SHARE` if the title and the synonyms
 * contain only common words of the question.
 * @param weights the rarity of each stem of the question
 */
export function termOverlap(weights: ReadonlyMap<string, number>, passage: Passage): number | null {
  const { topic, body } = stemsIn(passage);
  let [shared, all, isOnTopic] = [0, 0, false];
  for (const [stem, weight] of weights) {
    all += weight;
    if (topic.has(stem) || body.has(stem)) shared += weight;
    isOnTopic ||= topic.has(stem) && !COMMON.has(stem);
  }
  const share = all === 0 ? 0 : shared / all;
  return share >= LARGE_SHARE || (share >= MIN_SHARE && isOnTopic) ? share : null;
}

interface Stems {
  topic: ReadonlySet<string>;
  body: ReadonlySet<string>;
}

/**
 * The stems are cached, because stemming takes most of a search's time and an isolate answers many
 * questions about the same passages.
 */
const cached = new WeakMap<Passage, Stems>();

function stemsIn(passage: Passage): Stems {
  let stems = cached.get(passage);
  if (!stems) {
    const { title, heading, also, text } = passage;
    stems = {
      topic: new Set(stemsOf(`${title} ${also}`)),
      body: new Set(stemsOf(`${heading} ${text}`)),
    };
    cached.set(passage, stems);
  }
  return stems;
}
