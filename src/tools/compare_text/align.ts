/** Aligns the lines of two texts by content, as `diff` does. This module is pure, so that browsers can run it too. */
import { diffArrays } from 'diff';

/**
 * A difference between the texts, as two half-open spans of line indices, one in each text. One of the spans can be
 * empty.
 */
export interface Block {
  beforeFrom: number;
  beforeTo: number;
  afterFrom: number;
  afterTo: number;
}

/**
 * The maximum number of edits in a shortest alignment. The search time grows with the square of the number of edits and
 * reaches about 0.1 s. Other calls wait during this time.
 */
const MAX_EDITS = 500;
/** The maximum number of edits in each gap between anchors. It is lower, because there may be thousands of gaps. */
const MAX_EDITS_BETWEEN_ANCHORS = 100;

/** The indices of the same line in both texts. */
type Pair = readonly [before: number, after: number];

/**
 * Returns the differing blocks in order. Uses a shortest alignment if it is found in bounded time. Otherwise, lines
 * that occur exactly once in both texts serve as anchors, as in `git diff --patience`.
 */
export function alignLines(before: readonly string[], after: readonly string[]): Block[] {
  const least = Math.min(before.length, after.length);
  let start = 0;
  while (start < least && before[start] === after[start]) start++;
  let same = 0;
  while (same < least - start && before.at(-1 - same) === after.at(-1 - same)) same++;
  // A line that occurs in only one text cannot match, so the search skips it.
  const left = occurringIn(after, start, after.length - same, before, before.length - same);
  const right = occurringIn(before, start, before.length - same, after, after.length - same);
  const pairs =
    shortest(before, left, after, right, MAX_EDITS) ?? anchored(before, left, after, right);
  return blocksBetween([...pairs, [before.length - same, after.length - same]], start);
}

/**
 * Returns the indices of the lines from `start` onward that also occur among the lines of `other` before `otherEnd`.
 */
function occurringIn(
  other: readonly string[],
  start: number,
  otherEnd: number,
  lines: readonly string[],
  end: number,
): number[] {
  const known = new Set<string>();
  for (let index = start; index < otherEnd; index++) known.add(other[index] as string);
  const found: number[] = [];
  for (let index = start; index < end; index++) {
    if (known.has(lines[index] as string)) found.push(index);
  }
  return found;
}

/** Returns the matching pairs of a shortest alignment, or undefined if it has more than `most` edits. */
function shortest(
  before: readonly string[],
  left: readonly number[],
  after: readonly string[],
  right: readonly number[],
  most: number,
): Pair[] | undefined {
  const runs = diffArrays(
    left.map((index) => before[index]),
    right.map((index) => after[index]),
    { maxEditLength: most },
  );
  if (!runs) return undefined;
  const pairs: Pair[] = [];
  let [i, j] = [0, 0];
  for (const { added, removed, count } of runs) {
    if (!added && !removed) {
      for (let k = 0; k < count; k++) pairs.push([left[i + k] as number, right[j + k] as number]);
    }
    if (!added) i += count;
    if (!removed) j += count;
  }
  return pairs;
}

/**
 * Returns the matching pairs of an alignment that contains the longest sequence of unique lines in the same order in
 * both texts.
 */
function anchored(
  before: readonly string[],
  left: readonly number[],
  after: readonly string[],
  right: readonly number[],
): Pair[] {
  const positions = uniquePositions(right.map((index) => after[index] as string));
  const candidates: Pair[] = [];
  for (const [line, i] of uniquePositions(left.map((index) => before[index] as string))) {
    const j = positions.get(line) ?? -1;
    if (i >= 0 && j >= 0) candidates.push([i, j]);
  }
  const pairs: Pair[] = [];
  let [i, j] = [0, 0];
  for (const [nextI, nextJ] of [...longestRising(candidates), [left.length, right.length]]) {
    const between = shortest(
      before,
      left.slice(i, nextI),
      after,
      right.slice(j, nextJ),
      MAX_EDITS_BETWEEN_ANCHORS,
    );
    for (const pair of between ?? []) pairs.push(pair);
    const anchor = [left[nextI as number], right[nextJ as number]];
    if (anchor[0] !== undefined) pairs.push(anchor as unknown as Pair);
    [i, j] = [(nextI as number) + 1, (nextJ as number) + 1];
  }
  return pairs;
}

/**
 * Returns the index of each distinct line, or -1 for a line that occurs more than once. The map is in the order of
 * first occurrence.
 */
function uniquePositions(lines: readonly string[]): Map<string, number> {
  const positions = new Map<string, number>();
  for (const [index, line] of lines.entries())
    positions.set(line, positions.has(line) ? -1 : index);
  return positions;
}

/**
 * Returns the longest subsequence of pairs whose second index increases (patience sorting). `pairs` is ordered by the
 * first index.
 */
function longestRising(pairs: readonly Pair[]): Pair[] {
  /** The index of the last pair in the best sequence of each length. */
  const lasts: number[] = [];
  const previous: number[] = [];
  for (const [index, [, after]] of pairs.entries()) {
    let [low, high] = [0, lasts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[lasts[middle] as number] as Pair)[1] < after) low = middle + 1;
      else high = middle;
    }
    previous.push(lasts[low - 1] ?? -1);
    lasts[low] = index;
  }
  const sequence: Pair[] = [];
  for (let index = lasts.at(-1) ?? -1; index >= 0; index = previous[index] as number) {
    sequence.push(pairs[index] as Pair);
  }
  return sequence.reverse();
}

/**
 * Returns the spans between matching pairs. The lines before `start` match, and the last pair marks the end of both
 * texts.
 */
function blocksBetween(pairs: readonly Pair[], start: number): Block[] {
  const blocks: Block[] = [];
  let [beforeFrom, afterFrom] = [start, start];
  for (const [beforeTo, afterTo] of pairs) {
    if (beforeTo > beforeFrom || afterTo > afterFrom) {
      blocks.push({ beforeFrom, beforeTo, afterFrom, afterTo });
    }
    [beforeFrom, afterFrom] = [beforeTo + 1, afterTo + 1];
  }
  return blocks;
}
