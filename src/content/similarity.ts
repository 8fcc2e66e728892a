/** Compares a question with passages by their embedding vectors. */
import type { Passage } from '../core/content.ts';
import type { Match } from './passage-index.ts';

/**
 * The minimum similarity of a passage, as a share of the range from the median similarity to 1, the similarity of
 * identical texts. Models use different parts of the similarity scale, but most passages are unrelated to a question,
 * so the median is the baseline.
 */
const MIN_RISE = 0.35;

/** Returns the passages that are similar to the question, best first. The scores are relative to the best passage. */
export function similarPassages(
  query: readonly number[],
  passages: readonly Passage[],
  vectors: ReadonlyMap<string, Int8Array>,
  limit: number,
): Match[] {
  const compared = passages.flatMap((passage) => {
    const vector = vectors.get(passage.digest);
    return vector?.length === query.length ? [{ passage, similarity: cosine(query, vector) }] : [];
  });
  compared.sort((one, other) => other.similarity - one.similarity);
  const median = compared[compared.length >> 1]?.similarity ?? 1;
  const least = median + MIN_RISE * (1 - median);
  const best = (compared[0]?.similarity ?? 1) - median;
  return compared
    .filter(({ similarity }) => similarity > least)
    .slice(0, limit)
    .map(({ passage, similarity }) => ({ passage, score: (similarity - median) / best }));
}

/**
 * Scales the vector so that its largest component is 127, and rounds it to bytes. This takes a quarter of the memory
 * and preserves the order by cosine similarity.
 */
export function quantize(vector: readonly number[]): Int8Array {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  return Int8Array.from(vector, (value) => Math.round((value / largest) * 127));
}

function cosine(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let [dot, oneSquare, otherSquare] = [0, 0, 0];
  for (let index = 0; index < one.length; index += 1) {
    const [a, b] = [one[index]!, other[index]!];
    dot += a * b;
    oneSquare += a * a;
    otherSquare += b * b;
  }
  return dot === 0 ? 0 : Math.min(1, dot / Math.sqrt(oneSquare * otherSquare));
}
