/**
 * Pairs the removed and the added lines of a differing block. If their numbers differ, the lines that share the most
 * words become a pair.
 */

/** An index in each list, or null if the line has no partner. */
export type LinePair = readonly [before: number | null, after: number | null];

/**
 * The maximum number of line comparisons per call. They take about 50 ms in total. The remaining lines are paired in
 * order.
 */
const MAX_COMPARISONS = 50_000;
/** The maximum number of characters compared per line. */
const MAX_CHARACTERS = 500;
/** The minimum similarity of two lines. It is not zero, so that lines without a common word are paired too. */
const MIN_SIMILARITY = 0.01;

const WORD = /[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu;

/**
 * Pairs lines without changing their order. All blocks of two texts share one instance, and thus one limit on
 * comparisons.
 */
export class LinePairing {
  #left = MAX_COMPARISONS;

  pair(before: readonly string[], after: readonly string[]): LinePair[] {
    const size = before.length * after.length;
    // If both sides have the same number of lines, each added line replaces a removed one.
    if (before.length === after.length || size === 0 || size > this.#left)
      return inOrder(before.length, after.length);
    this.#left -= size;
    return mostSimilar(before.map(wordsOf), after.map(wordsOf));
  }
}

const inOrder = (before: number, after: number): LinePair[] =>
  Array.from({ length: Math.max(before, after) }, (_, index) => [
    index < before ? index : null,
    index < after ? index : null,
  ]);

/** Returns the pairs with the highest total similarity. */
function mostSimilar(before: readonly Words[], after: readonly Words[]): LinePair[] {
  const width = after.length + 1;
  const similarities = before.map((left) =>
    after.map((right) => MIN_SIMILARITY + similarity(left, right)),
  );
  /** The highest total similarity of the lines from `i` in one list and from `j` in the other. */
  const sums = new Float64Array((before.length + 1) * width);
  const at = (i: number, j: number) => sums[i * width + j] as number;
  const paired = (i: number, j: number) =>
    at(i + 1, j + 1) + ((similarities[i] as number[])[j] as number);
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--)
      sums[i * width + j] = Math.max(paired(i, j), at(i + 1, j), at(i, j + 1));
  }
  const pairs: LinePair[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && at(i, j) === paired(i, j)) pairs.push([i++, j++]);
    else if (j === after.length || (i < before.length && at(i, j) === at(i + 1, j)))
      pairs.push([i++, null]);
    else pairs.push([null, j++]);
  }
  return pairs;
}

interface Words {
  counts: Map<string, number>;
  total: number;
}

function wordsOf(line: string): Words {
  const words = line.slice(0, MAX_CHARACTERS).match(WORD) ?? [];
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { counts, total: words.length };
}

/** Returns the share of words that the two lines have in common, from 0 to 1 (Dice's coefficient). */
function similarity(left: Words, right: Words): number {
  let common = 0;
  for (const [word, count] of left.counts) common += Math.min(count, right.counts.get(word) ?? 0);
  return (2 * common) / (left.total + right.total || 1);
}
