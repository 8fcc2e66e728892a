/** What a question and a passage have in common, and whether that is anything at all. */
import type { FoundPassage } from '../core/content.ts';
import { COMMON } from './common-words.ts';
import { termsOf } from './terms.ts';

/** The least share of what the question says, weighted by rarity, that a passage must have. */
const LEAST = 0.12;
/** With this share of it, a passage need not be of a document about any of it. */
const HALF = 0.5;

/**
 * The share of the question's words, weighted by rarity (`weights`, by stem), that the passage has in its own words or
 * in those around it; null where that is next to nothing: under an eighth, or under half and none of it but words that
 * any text may have is what the document is about. A name that no document has hides nothing of what else is asked.
 */
export function commonShare(
  weights: ReadonlyMap<string, number>,
  { title, heading, also, text }: FoundPassage,
): number | null {
  const about = new Set(termsOf(`${title} ${also}`));
  const here = new Set(termsOf(`${heading} ${text}`));
  let [shared, all, isTelling] = [0, 0, false];
  for (const [stem, weight] of weights) {
    all += weight;
    if (about.has(stem) || here.has(stem)) shared += weight;
    isTelling ||= about.has(stem) && !COMMON.has(stem);
  }
  const share = all === 0 ? 0 : shared / all;
  return share >= HALF || (share >= LEAST && isTelling) ? share : null;
}
